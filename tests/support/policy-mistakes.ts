/** One of each kind of mistake, with what must be said about it. */
export const POLICY_MISTAKES: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
  [
    'an unknown key',
    'tools:\n  echo: { enabeld: true }',
    /:2:11: Unknown key "enabeld"\. Did you mean enabled\?/,
  ],
  ['a duplicate key', 'tools:\n  echo: {}\n  echo: {}', /:3:3: The key "echo" appears twice/],
  ['a wrong type', 'tools:\n  write_file:\n    allowed_paths: /tmp', /:3:20: Expected a list/],
  ['a bad glob', 'tools: { read_file: { allowed_paths: ["src/[ab"] } }', /:1:39: Bad pattern/],
  [
    'a failing test',
    'tools: { echo: {} }\ntests:\n  - { name: closed, tool: echo, expect: deny }',
    /:3:5: The test "closed" expects deny, the policy says allow/,
  ],
  ['a custom tag', 'tools: !danger {}', /:1:8: .*Custom tags are refused/],
  [
    'an alias bomb',
    `x-a: &a [1, 1, 1]\nx-b: [${Array.from({ length: 51 }, () => '*a').join(', ')}]`,
    /:2:\d+: More than 50 aliases/,
  ],
  ['bytes that are no UTF-8', new Uint8Array([0x61, 0x3a, 0x0a, 0x62, 0xff]), /:2:2: The file is not UTF-8/],
  [
    'a wildcard in a command',
    'tools: { execute_command: { denied_commands: ["git push*"] } }',
    /:1:47: This rule can never match: "push\*" has a wildcard.* \{ command: \[git, push\] \}/s,
  ],
  [
    'a program with blanks',
    'tools: { execute_command: { allowed_commands: [{ command: ["git status"] }] } }',
    /:1:\d+: This rule can never match: "git status" has blanks.* \{ command: \[git, status\] \}/s,
  ],
  [
    'a flag that is none',
    'tools: { execute_command: { denied_commands: [{ command: [git, push], any: [--] }] } }',
    /any needs flags, got "--"\..*any: \[--force, -f\]/s,
  ],
  ['nothing', '', /:1:1: The file is empty/],
  ['a megabyte', `# ${'x'.repeat(1024 * 1024)}`, /:1:1: The file is larger than 256 KiB/],
];
