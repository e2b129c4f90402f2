/// Shell completions, generated from the declarations of the commands.
struct Completion {
    let commands: [any Command.Type]

    /// The completions for bash, installed as `chemopen` in its completions directory.
    var bash: String {
        var text = """
            # bash completes the command lines of chemopen by this.
            _chemopen() {
                local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
                local words='' options='' choices='' is_path='' is_value=''
                case ${COMP_WORDS[1]} in

            """
        for command in commands {
            text += "        \(command.name))\n"
            text += "            options='\(command.allOptions.flatMap(\.spellings).joined(separator: " "))'\n"
            if !command.words.isEmpty { text += "            words='\(command.words.joined(separator: " "))'\n" }
            let valued = command.allOptions.filter { $0.value != nil }
            if !valued.isEmpty {
                text += "            case $previous in\n"
                for option in valued {
                    text += "                \(option.spellings.joined(separator: " | "))) is_value=1"
                    if option.isPath { text += " is_path=1" }
                    if !option.choices.isEmpty { text += " choices='\(option.choices.joined(separator: " "))'" }
                    text += " ;;\n"
                }
                text += "            esac\n"
            }
            text += "            ;;\n"
        }
        return text + """
                esac
                COMPREPLY=()
                if [ "$COMP_CWORD" -eq 1 ]; then
                    words='\(commands.map { $0.name }.joined(separator: " "))' options='--help --version'
                elif [ -n "$is_value" ]; then
                    [ -n "$is_path" ] || compopt +o default
                    mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$current")
                    return
                fi
                if [[ $current == -* ]]; then words=$options; fi
                mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
            }
            complete -o default -F _chemopen chemopen

            """
    }

    /// The completions for zsh, installed as `_chemopen` in a functions directory.
    var zsh: String {
        var text = """
            #compdef chemopen
            # zsh completes the command lines of chemopen by this.
            local -a commands=(

            """
        for command in commands {
            text += "    \("\(command.name):\(command.summary)".inSingleQuotes)\n"
        }
        text += """
            )
            if ((CURRENT == 2)); then
                _describe -t commands command commands
                _files
                return
            fi
            local command=$words[2]
            words=(chemopen "${(@)words[3,-1]}")
            ((CURRENT--))
            case $command in

            """
        for command in commands {
            text += "    \(command.name))\n        _arguments -s -S \\\n"
            for option in command.allOptions { text += "            \(zsh(option)) \\\n" }
            let words = command.words.joined(separator: " ")
            let operands = words.isEmpty ? "*:file:_files" : "*:word:(\(words))"
            text += "            \(operands.inSingleQuotes)\n        ;;\n"
        }
        return text + "    *) _files ;;\nesac\n"
    }

    private func zsh(_ option: Option) -> String {
        var help = option.help
        for sign in ["\\", "[", "]", ":"] { help = help.replacingEach(sign, by: "\\" + sign) }
        var rest = "[\(help)]"
        if let value = option.value {
            let name = value.replacingEach(":", by: "\\:")
            rest += ":\(name):" + (option.isPath ? "_files" : option.choices.isEmpty ? " " : option.zshChoices)
        }
        // After the equals sign, zsh accepts the value in the same or the next argument.
        let spellings = option.spellings.map { $0.hasPrefix("--") && option.value != nil ? $0 + "=" : $0 }
        let isSingle = spellings.count == 1
        let others = option.isRepeatable ? "*" : isSingle ? "" : "(\(option.spellings.joined(separator: " ")))"
        let list = spellings.joined(separator: ",")
        let names = isSingle ? (others + list).inSingleQuotes : others.inSingleQuotes + "{\(list)}"
        return names + rest.inSingleQuotes
    }

    /// The completions for fish, installed as `chemopen.fish` in its completions directory.
    var fish: String {
        var text = "# fish completes the command lines of chemopen by this.\n"
        for command in commands {
            let summary = command.summary.inSingleQuotes
            text += "complete -c chemopen -n __fish_use_subcommand -a \(command.name) -d \(summary)\n"
        }
        for command in commands {
            let start = "complete -c chemopen -n '__fish_seen_subcommand_from \(command.name)'"
            if !command.words.isEmpty { text += "\(start) -f -a '\(command.words.joined(separator: " "))'\n" }
            for option in command.allOptions {
                text += start
                if let short = option.short { text += " -s \(short.dropFirst())" }
                text += " -l \(option.name.dropFirst(2))"
                if option.value != nil { text += option.isPath ? " -r -F" : " -x" }
                if !option.choices.isEmpty { text += " -a '\(option.choices.joined(separator: " "))'" }
                text += " -d \(option.help.inSingleQuotes)\n"
            }
        }
        return text
    }
}

extension Option {
    /// The names of the option as typed.
    fileprivate var spellings: [String] { (short.map { [$0] } ?? []) + [name] }

    fileprivate var zshChoices: String { "(\(choices.joined(separator: " ")))" }
}
