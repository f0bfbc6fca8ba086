#include "tb/run/completions/student_t.h"

#include <boost/math/distributions/students_t.hpp>

namespace weir::tb {

double student_t(double confidence, std::size_t degrees) {
    const boost::math::students_t distribution(static_cast<double>(degrees));
    return boost::math::quantile(boost::math::complement(distribution, (1 - confidence) / 2));
}

}  // namespace weir::tb
