import { expect } from 'chai';
import { load, problemsOf } from '../../support/policy-bench.js';

const aliases = `x-list: &a [1]\nx-more: [${Array.from({ length: 51 }, () => '*a').join(', ')}]\n`;
const bomb = ['x-a: &a [1, 1, 1, 1, 1, 1, 1]']
  .concat(
    'bcdefgh'
      .split('')
      .map((name, index) =>
        `x-${name}: &${name} [${'abcdefg'[index]}]`.replace(/\[(.)\]/, '[*$1, *$1, *$1, *$1, *$1, *$1, *$1]'),
      ),
  )
  .join('\n');

const mistakes: readonly [string, string | Uint8Array, RegExp][] = [
  [
    'an unknown key',
    'tools:\n  read_file: { allowed_path: [.] }',
    /^\/policy\.yaml:2:16: Unknown key "allowed_path"\. Did you mean allowed_paths\?$/,
  ],
  ['an unknown key at the top', 'tool: {}', /:1:1: Unknown key "tool"\. Did you mean tools\?$/],
  [
    'a duplicate key',
    'tools:\n  echo: {}\n  echo: {}',
    /:3:3: The key "echo" appears twice\. It is already on line 2/,
  ],
  [
    'one tool under two names',
    'tools:\n  read_file: {}\n  read-file: {}',
    /:3:14: read-file and read_file are the same tool/,
  ],
  ['a wrong type', 'tools:\n  write_file:\n    allowed_paths: /tmp', /:3:20: Expected a list.* got "\/tmp"/],
  ['an entry with nothing in it', 'tools:\n  echo:', /:2:8: Expected an entry: a map, got nothing/],
  [
    'a misspelt choice',
    'defaults: { consent: allways }',
    /:1:22: Expected one of never, ask, always, explicit.* Did you mean always\?/,
  ],
  [
    'a bad glob',
    'tools:\n  read_file:\n    allowed_paths:\n      - "src/[ab"',
    /:4:9: Bad pattern "src\/\[ab"/,
  ],
  [
    'stars that stick to a name',
    'tools: { read_file: { allowed_paths: ["src/**.ts"] } }',
    /:1:39: .*\*\* must stand alone/,
  ],
  [
    'a sandbox that would let commands gain privileges',
    'sandboxes:\n  loose: { new_privileges: true }',
    /:2:28: A sandbox never lets commands gain privileges.* Leave it out/,
  ],
  ['a custom tag', 'tools: !danger {}', /:1:8: .*(tag|Tag).*Custom tags are refused/],
  ['a timestamp tag', 'tools: { echo: !!binary "aaaa" }', /:1:16: .*[Cc]ustom tags are refused/],
  ['more than 50 aliases', aliases, /:2:\d+: More than 50 aliases/],
  ['an alias bomb', bomb, /:\d+:\d+: (More than 50 aliases|The file grows too large)/],
  [
    'a file that is not UTF-8',
    new Uint8Array([0x61, 0x3a, 0x20, 0x0a, 0x62, 0xff, 0xfe]),
    /:2:2: The file is not UTF-8/,
  ],
  ['an empty file', '', /:1:1: The file is empty/],
  ['a file of comments only', '# nothing here\n', /:1:1: The file is empty/],
  ['a megabyte', `# ${'x'.repeat(1024 * 1024)}`, /:1:1: The file is larger than 256 KiB/],
  ['a newer version', 'version: 2', /:1:10: Version 2 is newer than this server understands \(1\)/],
  ['broken YAML', 'tools: [', /:1:\d+: Not valid YAML/],
  [
    'a second document',
    'tools: {}\n---\ntools: {}',
    /:2:1: The file holds more than one document\..*Remove the `---`/,
  ],
  [
    'a star without quotes',
    'tools: { read_file: { allowed_paths: [*.md] } }',
    /:1:\d+: \*\.md is an alias.*"\*\.md"/,
  ],
  ['a list instead of a map', '- tools', /:1:1: Expected a policy: a map, got a list/],
  [
    'a time without sense',
    'tools: { echo: { timeout: soon } }',
    /:1:27: Expected a time such as 30 \(seconds\), "500ms" or "2m", got "soon"/,
  ],
  ['a negative time', 'tools: { echo: { timeout: -1 } }', /:1:27: Expected a time/],
  [
    'a size without sense',
    'defaults: { limits: { memory: 2 elephants } }',
    /:1:31: Expected a size such as 256KiB/,
  ],
  ['a rate without sense', 'defaults: { rate: { limit: often } }', /:1:28: Expected a rate such as 120\/min/],
  [
    'a limit of tokens without sense',
    'tools: { claude_conversation: { tokens: { limit: 5000 } } }',
    /:1:50: Expected a rate such as 120\/min, got 5000/,
  ],
  [
    'a limit of tokens without a limit',
    'tools: { claude_conversation: { tokens: { per: instance } } }',
    /:1:41: The key "limit" is missing/,
  ],
  [
    'a bad pattern of a model',
    'tools: { claude_conversation: { allowed_models: ["claude-[x"] } }',
    /:1:50: Bad pattern/,
  ],
  [
    'two timeouts',
    'tools: { echo: { timeout: 1, limits: { timeout: 2 } } }',
    /:1:16: timeout and limits\.timeout are the same/,
  ],
  [
    'an unknown sandbox',
    'defaults: { sandbox: strickt }\ntools: { echo: {} }',
    /:1:22: No sandbox is called strickt\. Did you mean strict\?/,
  ],
  [
    'an unknown profile',
    'extends: [builtin:workspac]',
    /:1:11: No profile is called builtin:workspac\. Did you mean builtin:workspace\?/,
  ],
  ['a file that is not there', 'extends: [./gone.yaml]', /^\/gone\.yaml:1:1: The file cannot be read/],
  [
    'an unknown role',
    'roles: { viewer: { tools: [echo] } }\nprincipals: [{ match: { transport: [stdio] }, roles: [viever] }]',
    /:2:55: No role is called viever\. Did you mean viewer\?/,
  ],
  [
    'a principal that matches everybody',
    'principals: [{ match: {}, roles: [] }]',
    /:1:23: A principal must say whom it matches/,
  ],
  [
    'a key in the clear',
    'principals: [{ match: { api_key: hunter2 }, roles: [] }]',
    /:1:34: An api_key is its hash/,
  ],
  [
    'an expression that is not linear',
    'tools: { echo: { arguments: { message: { pattern: "(a)\\\\1" } } } }',
    /:1:51: The expression .* is not accepted/,
  ],
  [
    'a phrase nobody types',
    'tools: { echo: { consent: { mode: ask, phrase: yes } } }',
    /:1:27: A phrase needs mode: explicit/,
  ],
  [
    'shell syntax in a rule',
    'tools: { execute_command: { allowed_commands: ["ls | cat"] } }',
    /:1:48: A command rule has no shell syntax/,
  ],
  [
    'a wildcard in a sandbox',
    'sandboxes: { a: { filesystem: { read: ["src/*"] } } }',
    /:1:40: A sandbox shows whole folders/,
  ],
  ['a test without a tool', 'tests: [{ expect: allow }]', /:1:9: The key "tool" is missing/],
  [
    'a failing test',
    'tools: { echo: {} }\ntests:\n  - { name: closed, tool: echo, expect: deny }',
    /:3:5: The test "closed" expects deny, the policy says allow/,
  ],
  [
    'a failing reason',
    'tests:\n  - { tool: write_file, args: { path: a }, expect: deny, reason: DENIED_PATH }',
    /:2:5: .* expects deny \(DENIED_PATH\), the policy says deny \(NO_ALLOW\)/,
  ],
  [
    'a rule that does not match its example',
    'tools:\n  execute_command:\n    allowed_commands:\n      - { command: [git, log], match: ["git push"] }',
    /:4:40: This rule must match, but does not match, "git push"/,
  ],
  [
    'a rule that matches a counter-example',
    'tools:\n  read_file:\n    denied_paths:\n      - { path: "**/*.pem", not_match: [a/b.pem] }',
    /:4:41: This rule must not match, but matches, "a\/b\.pem"/,
  ],
];

describe('a mistake in a policy file', () => {
  for (const [name, content, wanted] of mistakes) {
    it(`${name} gets one answer with its line and column`, async () => {
      const problems = await problemsOf(content);
      expect(problems, problems.join('\n')).to.have.length(1);
      expect(problems[0]).to.match(wanted);
    });
  }

  it('does not hide another: all are told at once', async () => {
    const problems = await problemsOf(`
version: one
tools:
  echo: { enabeld: true }
  read_file: { allowed_paths: [{ path: "a[", why: x }], timeout: never }
x-note: mine`);
    expect(problems.map((problem) => problem.split(': ')[0])).to.deep.equal([
      '/policy.yaml:2:10',
      '/policy.yaml:4:11',
      '/policy.yaml:5:40',
      '/policy.yaml:5:66',
    ]);
  });

  it('does not hide another where a key appears twice, and they come in the order of lines', async () => {
    const problems = await problemsOf(`
tols: {}
tools:
  echo: { enabeld: true }
  read_file: { allowed_paths: x }
  read_file: {}
defaults: { network: all }`);
    expect(problems.map((problem) => problem.split(': ')[0])).to.deep.equal([
      '/policy.yaml:2:1',
      '/policy.yaml:4:11',
      '/policy.yaml:5:31',
      '/policy.yaml:6:3',
      '/policy.yaml:7:22',
    ]);
  });

  it('is not made by keys that begin with x-, at any level', async () => {
    const { snapshot } = await load(
      'x-owner: me\ntools: { x-note: 1, echo: { x-why: because } }\nroles: { a: { x-b: 1 } }',
    );
    expect(snapshot.problems).to.deep.equal([]);
  });
});
