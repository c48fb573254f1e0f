const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** A policy of a thousand rules as a large project might have it: folders, globs, exceptions, commands. */
export function thousandRules(): string {
  return [
    'extends: [builtin:baseline]',
    'tools:',
    '  read_file:',
    '    allowed_paths: ["."]',
    '    denied_paths:',
    ...range(300).map((index) => `      - "packages/p${index}/private/**"`),
    ...range(100).map(
      (index) => `      - { path: "**/secret-${index}.*", except: ["**/secret-${index}.md"] }`,
    ),
    '  write_file:',
    '    allowed_paths:',
    ...range(300).map((index) => `      - packages/p${index}/src`),
    '  execute_command:',
    '    allowed_commands:',
    ...range(200).map((index) => `      - { command: [npm, run, "task${index}"], why: part ${index} }`),
    '    denied_commands:',
    ...range(98).map((index) => `      - tool${index}`),
    '  echo: {}',
    'tests:',
    '  - { tool: read_file, args: { path: packages/p7/private/a }, expect: deny, reason: DENIED_PATH }',
    '  - { tool: write_file, args: { path: packages/p7/src/a }, expect: allow }',
    '',
  ].join('\n');
}
