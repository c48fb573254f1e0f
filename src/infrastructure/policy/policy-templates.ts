export type InitProfile = 'readonly' | 'workspace';

const SCHEMA_LINE = '# yaml-language-server: $schema=./node_modules/castellan/config/permissions.schema.json';

const RULES = `# What the tools of this server may do here. How to read it:
#   1. What nothing allows is refused.
#   2. A deny wins over everything; the order of lines never matters.
#   3. A list of denies alone allows nothing.
#   4. Paths are the workspace's own unless they begin with /; a folder includes what is below it.
#   5. Secrets (.env, keys …) are not read and files that somebody executes later (.git, .vscode …)
#      are not written, unless a line names them.
# Check it with \`castellan policy check\`, ask it with \`castellan policy explain TOOL '{…}'\`.`;

const READONLY = `extends: [builtin:readonly]      # read the workspace, knowledge and flags; change nothing

tools:
  read_file:
    denied_paths: []             # add what nobody should see, such as "private/**"; it binds every tool that reveals

tests:
  - { name: read,         tool: read_file,       args: { path: README.md },           expect: allow }
  - { name: no secrets,   tool: read_file,       args: { path: .env },                expect: deny, reason: PROTECTED }
  - { name: no writing,   tool: write_file,      args: { path: a.txt },               expect: deny, reason: NO_ALLOW }
  - { name: no commands,  tool: execute_command, args: { command: ls },               expect: deny, reason: NO_ALLOW }
`;

const WORKSPACE = `extends: [builtin:workspace]     # read and write the workspace, any program inside the sandbox, no network

tools:
  read_file:
    denied_paths: []             # add what nobody should see, such as "private/**"; it binds every tool that reveals
  write_file:
    denied_paths: []             # add what nobody should change; it binds every tool that changes something
  execute_command:
    denied_commands: [sudo, su]  # by name, by binary and inside wrappers

tests:
  - { name: read,              tool: read_file,       args: { path: README.md },           expect: allow }
  - { name: no secrets,        tool: read_file,       args: { path: .env },                expect: deny, reason: PROTECTED }
  - { name: write,             tool: write_file,      args: { path: src/a.ts },            expect: allow }
  - { name: not outside,       tool: write_file,      args: { path: ../a.ts },             expect: deny, reason: NO_ALLOW }
  - { name: no git hooks,      tool: write_file,      args: { path: .git/hooks/pre-commit }, expect: deny, reason: PROTECTED }
  - { name: run the tests,     tool: execute_command, args: { command: npm test },         expect: allow }
  - { name: no sudo,           tool: execute_command, args: { command: sudo ls },          expect: deny, reason: DENIED_COMMAND }
  - { name: deleting asks,     tool: delete_path,     args: { path: src/a.ts },            expect: ask }
`;

const BODIES: Readonly<Record<InitProfile, string>> = { readonly: READONLY, workspace: WORKSPACE };

/** What \`castellan init\` writes as permissions.yaml. */
export function policyTemplate(profile: InitProfile): string {
  return `${SCHEMA_LINE}\n\n${RULES}\n\nversion: 1\n${BODIES[profile]}`;
}
