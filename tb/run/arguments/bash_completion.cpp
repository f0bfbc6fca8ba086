#include "tb/run/arguments/argument_help.h"

#include <map>
#include <set>
#include <string>

#include "tb/run/options/run_options.h"
#include "tb/support/text/joined.h"

namespace weir::tb {

namespace {

// Bash takes `--switch.arbiter=islip` for three words. An option is completed to its block first: there are
// hundreds.
constexpr const char* script_end = R"(
_weir() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} key= command=${COMP_WORDS[1]}
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "$_weir_commands" -- "$word"))
        return
    fi
    if [ "$word" = = ]; then
        key=$before word=
    elif [ "$before" = = ]; then
        key=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    if [ -n "$key" ]; then
        if [ -n "${_weir_values[$key]+is set}" ]; then
            COMPREPLY=($(compgen -W "${_weir_values[$key]}" -- "$word"))
        else
            compopt -o default
        fi
        return
    fi
    case $word in
        -*.*) [ -z "${_weir_takes_options[$command]}" ] || COMPREPLY=($(compgen -W "${_weir_options[${word%%.*}]}" -- "$word")) ;;
        -*)
            COMPREPLY=($(compgen -W "${_weir_arguments[$command]}" -- "$word"))
            if [ -n "${_weir_takes_options[$command]}" ]; then
                COMPREPLY+=($(compgen -W "${!_weir_options[*]}" -S . -- "$word"))
            fi
            ;;
        *) compopt -o default ;;
    esac
    case ${COMPREPLY[0]} in
        *[.=]) compopt -o nospace ;;
    esac
}
complete -F _weir weir
)";

/// Declares an array of words by name; global, because bash-completion reads the file within a function.
template <class List, class Name, class Words>
void write_array(std::ostream& out, const char* array, const List& list, const Name& name, const Words& words) {
    out << "declare -gA " << array << "=(\n";
    for (const auto& each : list) {
        if (const std::string text = words(each); !text.empty()) {
            out << "    ['" << name(each) << "']='" << text << "'\n";
        }
    }
    out << ")\n";
}

}  // namespace

void write_bash_completion(std::ostream& out, const std::vector<command_help>& commands) {
    const option_table& table = known_options();
    struct command_words {
        std::set<std::string> arguments{"--help"};
        bool takes_options = false;
    };
    std::map<std::string, command_words> by_name;
    for (const command_help& each : commands) {
        command_words& words = by_name[each.command.substr(0, each.command.find(' '))];
        words.takes_options = words.takes_options || each.takes_options;
        for (const std::string& name : arguments_of(each.text)) {
            if (table.find(name) == nullptr) {
                words.arguments.insert("--" + name);
            }
        }
    }
    const auto name_of = [](const auto& each) { return each.first; };
    out << "# Completion of weir's command line in bash. Made by `weir --bash-completion`.\n"
        << "_weir_commands='" << joined(by_name, " ", name_of) << " help --version --help'\n";
    write_array(out, "_weir_arguments", by_name, name_of,
                [](const auto& each) { return joined(each.second.arguments, " "); });
    write_array(out, "_weir_takes_options", by_name, name_of,
                [](const auto& each) { return std::string(each.second.takes_options ? "yes" : ""); });
    write_array(
        out, "_weir_options", table.blocks(), [](const option_block& block) { return "--" + block.name; },
        [&](const option_block& block) {
            std::string words;
            for (const auto& each : table.options()) {
                words += each->block == block.name ? (words.empty() ? "--" : " --") + each->key + "=" : "";
            }
            return words;
        });
    write_array(
        out, "_weir_values", table.options(), [](const auto& each) { return "--" + each->key; },
        [](const auto& each) {
            if (each->value->unit() == text_form<bool>::unit()) {
                return std::string("on off");
            }
            return joined(each->value->choices(), " ", [](const auto& choice) { return choice.first; });
        });
    out << script_end;
}

}  // namespace weir::tb
