/** If none of our words fits, the shell completes file names. */
const SCRIPTS = {
  bash: `_castellan() {
  local IFS=$'\\n'
  COMPREPLY=($(castellan __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _castellan castellan
`,
  zsh: `#compdef castellan
_castellan() {
  local -a found
  found=("\${(@f)$(castellan __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[*]}" ]]; then compadd -a found; else _files; fi
}
if [[ "$funcstack[1]" = _castellan ]]; then _castellan; else compdef _castellan castellan; fi
`,
  fish: `function __castellan_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (castellan __complete -- $words[2..-1] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c castellan -f -a '(__castellan_complete)'
`,
} as const;

export const SHELLS: readonly string[] = Object.keys(SCRIPTS);

/** The script for a shell; undefined if there is none. */
export function completionScript(shell: string): string | undefined {
  return Object.entries(SCRIPTS).find(([name]) => name === shell)?.[1];
}
