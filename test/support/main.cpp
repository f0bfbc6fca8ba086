// gtest's main. Tests call sc_start themselves; libsystemc wants an sc_main all the same. A fatal SystemC
// report is thrown as sc_core::sc_report, and a SystemC warning fails the test that provoked it.
#include <gtest/gtest.h>

#include <systemc>

static void fail_on_warning(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
    if (report.get_severity() == sc_core::SC_WARNING) {
        ADD_FAILURE() << report.what();
    }
    sc_core::sc_report_handler::default_handler(report, actions);
}

int sc_main(int, char**) {
    return 0;
}

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
    sc_core::sc_report_handler::set_handler(fail_on_warning);
    return RUN_ALL_TESTS();
}
