import { expect } from 'chai';
import { load, problemsOf } from '../../../support/policy-bench.js';

/** Entries of execute_command, and of other tools. */
const command = (entry: string): string => `tools: { execute_command: { ${entry} } }`;
const LS = 'allowed_commands: [ls]';

/** What has no effect, what is said about it, and the form that works. */
const ROWS: readonly [name: string, yaml: string, said: RegExp, works: string][] = [
  [
    'allowed_hosts of commands with the whole network',
    command(`${LS}, network: full, allowed_hosts: [example.com]`),
    /1:27: allowed_hosts of execute_command has no effect: no command has network: hosts, so they reach every host/,
    command(`${LS}, network: hosts, allowed_hosts: [example.com]`),
  ],
  [
    'allowed_hosts of commands without a network',
    command(`${LS}, allowed_hosts: [example.com]`),
    /1:27: allowed_hosts of execute_command has no effect: .*they have no network.*network: hosts here, or at the rules/,
    command('allowed_commands: [ls, { command: [npm, ci], network: hosts }], allowed_hosts: [example.com]'),
  ],
  [
    'network: hosts without hosts',
    command(`${LS}, network: hosts`),
    /1:27: network: hosts of execute_command reaches nothing: no host is listed.*allowed_hosts:/,
    command(`${LS}, network: hosts, loopback: [5432]`),
  ],
  [
    'hosts that a line adds to commands without a network',
    `extends: [builtin:workspace]\nalso_allow: [{ tool: execute_command, host: example.com }]`,
    /allowed_hosts of execute_command has no effect/,
    `extends: [builtin:workspace]\n${command('network: hosts, loopback: [5432]')}\nalso_allow: [{ tool: execute_command, host: example.com }]`,
  ],
  [
    'network: hosts without a sandbox',
    command(`${LS}, sandbox: none, network: hosts, allowed_hosts: [example.com]`),
    /network: hosts has no effect without a sandbox/,
    command(`${LS}, sandbox: none, network: full`),
  ],
  [
    'network: hosts under a sandbox that says none',
    `sandboxes: { off: { network: none } }\n${command('sandbox: off, allowed_hosts: [a.example], allowed_commands: [{ command: curl, network: hosts }]')}`,
    /network: hosts has no effect: the sandbox off says network: none/,
    `sandboxes: { off: { network: hosts } }\n${command('sandbox: off, allowed_hosts: [a.example], allowed_commands: [{ command: curl, network: hosts }]')}`,
  ],
  [
    'a port of this machine that the server needs itself',
    command(`${LS}, network: hosts, loopback: [443]`),
    /443 cannot be a port of loopback/,
    command(`${LS}, network: hosts, loopback: [5432]`),
  ],
  [
    'a range that is not private',
    command(`${LS}, network: hosts, allowed_hosts: [a.example], allowed_addresses: [127.0.0.0/8]`),
    /is not a range of private addresses.*10\.1\.0\.0\/16/,
    command(`${LS}, network: hosts, allowed_hosts: [a.example], allowed_addresses: [10.1.0.0/16]`),
  ],
  [
    'loopback of a tool that runs no commands',
    'tools: { claude_conversation: { loopback: [5432] } }',
    /loopback has no effect: claude_conversation runs no commands/,
    'tools: { claude_conversation: { allowed_hosts: [example.com] } }',
  ],
  [
    'network of a tool that names its hosts',
    'tools: { claude_conversation: { network: full, allowed_hosts: [example.com] } }',
    /network has no effect: claude_conversation runs no commands.*allowed_hosts/,
    'tools: { claude_conversation: { allowed_hosts: [example.com] } }',
  ],
  [
    'both at a tool of an embedder',
    'tools: { fetch_page: { network: full, allowed_hosts: [example.com] } }',
    /network: full beside allowed_hosts of fetch_page/,
    'tools: { fetch_page: { allowed_hosts: [example.com] } }',
  ],
  [
    'hosts of a file tool',
    'tools: { read_file: { allowed_paths: ["."], denied_hosts: [example.com] } }',
    /denied_hosts has no effect.*claude_conversation/,
    'tools: { claude_conversation: { denied_hosts: [example.com] } }',
  ],
  [
    'an address among hosts',
    'tools: { claude_conversation: { allowed_hosts: ["https://api.example.com/v1"] } }',
    /1:49: "https:\/\/api\.example\.com\/v1" is not a host.*Write api\.example\.com:/,
    'tools: { claude_conversation: { allowed_hosts: [api.example.com] } }',
  ],
  [
    'a star inside a host',
    'tools: { claude_conversation: { allowed_hosts: ["api.*.com"] } }',
    /is not a host.*\*\.example\.com/,
    'tools: { claude_conversation: { allowed_hosts: ["*.example.com:8443"] } }',
  ],
  [
    'network: full under a sandbox that says none',
    `sandboxes: { off: { network: none } }\n${command('sandbox: off, allowed_commands: [{ command: curl, network: full }]')}`,
    /2:\d+: network: full has no effect: the sandbox off says network: none.*Take network out of sandboxes\.off/,
    `sandboxes: { off: { seccomp: default } }\n${command('sandbox: off, allowed_commands: [{ command: curl, network: full }]')}`,
  ],
  [
    'network: none without a sandbox',
    command(`${LS}, sandbox: none, network: none`),
    /network: none has no effect without a sandbox/,
    command(`${LS}, sandbox: none, network: full`),
  ],
  [
    'sandbox_unavailable without a sandbox',
    command(`${LS}, sandbox: none, sandbox_unavailable: deny`),
    /sandbox_unavailable has no effect beside sandbox: none/,
    command(`${LS}, sandbox: readonly, sandbox_unavailable: deny`),
  ],
  [
    'a rule whose sandbox is wider',
    command('allowed_commands: [{ command: make, sandbox: workspace }]'),
    /sandbox: workspace has no effect: it is no stricter than readonly.*Put the wider one at execute_command/,
    command('sandbox: workspace, allowed_commands: [{ command: make, sandbox: readonly }]'),
  ],
  [
    'a rule without a sandbox',
    command('allowed_commands: [{ command: make, sandbox: none }]'),
    /sandbox: none at a rule has no effect/,
    command('sandbox: none, allowed_commands: [make]'),
  ],
  [
    'a rule with more time than its tool',
    command('timeout: 30, allowed_commands: [{ command: make, timeout: 5m }]'),
    /timeout of this rule has no effect: execute_command allows less.*raise it at execute_command/,
    command('timeout: 5m, allowed_commands: [make, { command: ls, timeout: 30 }]'),
  ],
  [
    'a rule with more memory than the defaults',
    `defaults: { limits: { memory: 1GiB } }\n${command('allowed_commands: [{ command: make, limits: { memory: 4GiB } }]')}`,
    /memory of this rule has no effect/,
    `defaults: { limits: { memory: 4GiB } }\n${command('allowed_commands: [{ command: make, limits: { memory: 1GiB } }]')}`,
  ],
  [
    'interpreter at what is none',
    command('allowed_commands: [{ command: ls, interpreter: true }]'),
    /interpreter has no effect: ls is none/,
    command('allowed_commands: [{ command: python3, interpreter: true }]'),
  ],
  [
    'consent of a rule that its tool outdoes',
    command('consent: ask, allowed_commands: [{ command: ls, consent: never }]'),
    /consent: never has no effect: execute_command says ask/,
    command('allowed_commands: [ls, { command: make, consent: ask }]'),
  ],
  [
    'remember without a question',
    command('allowed_commands: [{ command: ls, remember: 5m }]'),
    /remember has no effect: nobody is asked.*consent: ask/,
    command('allowed_commands: [{ command: ls, consent: ask, remember: 5m }]'),
  ],
  [
    'remember of a question that is always asked',
    'tools: { echo: { consent: { mode: always, remember: 5m } } }',
    /remember has no effect: always asks every time/,
    'tools: { echo: { consent: { mode: ask, remember: 5m } } }',
  ],
  [
    'expires without a question',
    'tools: { echo: { consent: { mode: never, expires: 5m } } }',
    /expires has no effect/,
    'tools: { echo: { consent: { mode: ask, expires: 5m } } }',
  ],
  [
    'a phrase without explicit',
    'tools: { echo: { consent: { mode: ask, phrase: yes please } } }',
    /A phrase needs mode: explicit/,
    'tools: { echo: { consent: { mode: explicit, phrase: yes please } } }',
  ],
  [
    'a phrase with an argument that is none',
    'tools: { delete_path: { allowed_paths: [a], consent: { mode: explicit, phrase: "delete ${pth}" } } }',
    /delete_path has no argument pth for the phrase.*Did you mean path/,
    'tools: { delete_path: { allowed_paths: [a], consent: { mode: explicit, phrase: "delete ${path}" } } }',
  ],
  [
    'a constraint of an argument that is none',
    'tools: { delete_path: { allowed_paths: [a], arguments: { recursiv: { const: false } } } }',
    /delete_path has no argument recursiv.*Did you mean recursive/,
    'tools: { delete_path: { allowed_paths: [a], arguments: { recursive: { const: false } } } }',
  ],
  [
    'a constraint that nothing keeps',
    'tools: { claude_conversation: { arguments: { max_tokens: { minimum: 9, maximum: 1 } } } }',
    /No value keeps this constraint/,
    'tools: { claude_conversation: { arguments: { max_tokens: { minimum: 1, maximum: 9 } } } }',
  ],
  [
    'paths of a tool without any',
    'tools: { echo: { allowed_paths: ["."] } }',
    /allowed_paths has no effect: echo takes no path/,
    'tools: { read_file: { denied_paths: [private] } }',
  ],
  [
    'paths of a tool for documents',
    'tools: { get_content: { denied_paths: [private] } }',
    /denied_paths has no effect: get_content.*read_file or files\.read/,
    'tools: { files.read: { denied_paths: [private] } }',
  ],
  [
    'variables of a tool without commands',
    'tools: { echo: { env: { accept: [CI] } } }',
    /env has no effect: echo runs no commands/,
    command(`${LS}, env: { accept: [CI] }`),
  ],
  [
    'PATH of callers',
    command(`${LS}, env: { accept: [PATH] }`),
    /PATH in accept has no effect/,
    command(`${LS}, env: { set: { PATH: /usr/bin } }`),
  ],
  [
    'a variable that is passed and set',
    command(`${LS}, env: { pass: [CI], set: { CI: "1" } }`),
    /CI is passed and set/,
    command(`${LS}, env: { pass: [LANG], set: { CI: "1" } }`),
  ],
  [
    'a shell of a file tool',
    'tools: { read_file: { shell: none } }',
    /shell has no effect: read_file runs no commands/,
    command(`${LS}, shell: none`),
  ],
  [
    'memory of a file tool',
    'tools: { read_file: { limits: { memory: 1GiB } } }',
    /limits\.memory has no effect: read_file runs in the server/,
    command(`${LS}, limits: { memory: 1GiB }`),
  ],
  [
    'the size of files of a listing',
    'tools: { list_directory: { limits: { max_file_bytes: 1MiB } } }',
    /limits\.max_file_bytes has no effect/,
    'tools: { read_file: { limits: { max_file_bytes: 1MiB } } }',
  ],
  [
    'models of a tool that asks none',
    'tools: { echo: { tokens: { limit: 5/h } } }',
    /tokens has no effect: echo asks no model/,
    'tools: { claude_conversation: { tokens: { limit: 5/h } } }',
  ],
  [
    'an exception that excepts nothing',
    'tools: { read_file: { denied_paths: [{ path: private, except: [public/a.md] }] } }',
    /The exception public\/a\.md excepts nothing/,
    'tools: { read_file: { denied_paths: [{ path: private, except: [private/a.md, "**/README.md"] }] } }',
  ],
  [
    'an exception of another kind of file',
    'tools: { read_file: { denied_paths: [{ path: "src/*.pem", except: ["docs/*.pem"] }] } }',
    /excepts nothing/,
    'tools: { read_file: { denied_paths: [{ path: "**/*.pem", except: ["**/ca*"] }] } }',
  ],
  [
    'an exception that takes all back',
    'tools: { read_file: { denied_paths: [{ path: private/a, except: [private] }] } }',
    /takes back the whole rule/,
    'tools: { read_file: { denied_paths: [{ path: private, except: [private/a] }] } }',
  ],
  [
    'an exception of another program',
    command(`${LS}, denied_commands: [{ command: [git, push], except: [[git, pull]] }]`),
    /The exception git pull excepts nothing/,
    command(`${LS}, denied_commands: [{ command: [git, push], except: [[git, push, --dry-run]] }]`),
  ],
  [
    'a blank at the end of a path',
    'tools: { write_file: { allowed_paths: ["output "] } }',
    /1:40: "output " begins or ends with a blank.*Write "output"\./,
    'tools: { write_file: { allowed_paths: ["output"] } }',
  ],
  [
    "another user's home",
    'tools: { write_file: { allowed_paths: ["~alice/x"] } }',
    /home folder of another user/,
    'tools: { write_file: { allowed_paths: ["~/x"] } }',
  ],
  [
    'a variable in a path',
    'tools: { write_file: { allowed_paths: ["$HOME/x"] } }',
    /has a variable, which is not filled in.*\$\{home\}/,
    'tools: { write_file: { allowed_paths: ["${home}/x", "${workspace}/y"] } }',
  ],
  [
    'a backslash in a path',
    'tools: { write_file: { allowed_paths: ["src\\\\lib"] } }',
    /has a backslash.*Write "src\/lib"/,
    'tools: { write_file: { allowed_paths: ["src/lib", "src/\\\\*"] } }',
  ],
  [
    'a dot behind two stars',
    'tools: { write_file: { denied_paths: ["**/./x"], allowed_paths: [a] } }',
    /has a \. behind a wildcard.*Write "\*\*\/x"/,
    'tools: { write_file: { denied_paths: ["**/x"], allowed_paths: [a] } }',
  ],
  [
    'a step up behind a star',
    'tools: { write_file: { allowed_paths: ["src/*/../x"] } }',
    /goes up from a wildcard/,
    'tools: { write_file: { allowed_paths: ["src/x", "../sibling"] } }',
  ],
  [
    'two slashes behind two stars',
    'tools: { write_file: { denied_paths: ["**/a//b"], allowed_paths: [a] } }',
    /has two slashes in a row.*Write "\*\*\/a\/b"/,
    'tools: { write_file: { denied_paths: ["**/a/b"], allowed_paths: [a] } }',
  ],
  [
    'a blank in a folder of a sandbox',
    `sandboxes: { s: { filesystem: { read: ["."], write: ["out "] } } }\n${command(`${LS}, sandbox: s`)}`,
    /"out " begins or ends with a blank/,
    `sandboxes: { s: { filesystem: { read: ["."], write: ["out"] } } }\n${command(`${LS}, sandbox: s`)}`,
  ],
  [
    "the kernel's files",
    'tools: { read_file: { allowed_paths: [".", /proc/cpuinfo] } }',
    /is never opened: it is in a file system of the kernel/,
    'tools: { read_file: { allowed_paths: [".", /var/log/app] } }',
  ],
  [
    'the same path twice',
    'tools: { write_file: { allowed_paths: [output, src, output] } }',
    /1:53: "output" is in this list already/,
    'tools: { write_file: { allowed_paths: [output, src] } }',
  ],
  [
    'the same path in two spellings',
    'tools: { write_file: { allowed_paths: [output, ./output/] } }',
    /\.\/output\/ is the same as output in line 1/,
    'tools: { write_file: { allowed_paths: [output] } }',
  ],
  [
    'the same program twice',
    command('allowed_commands: [ls, ls]'),
    /"ls" is in this list already/,
    command(LS),
  ],
  [
    'the same tool of a role twice',
    'roles: { default: { tools: [echo, echo] } }',
    /"echo" is in this list already/,
    'roles: { default: { tools: [echo] } }',
  ],
  [
    'the same profile twice',
    'extends: [builtin:baseline, builtin:baseline]',
    /is in this list already/,
    'extends: [builtin:baseline]',
  ],
  [
    'a role that nobody has',
    'roles: { viewer: { tools: [echo] }, writer: { tools: [write_file] } }\nprincipals: [{ match: { transport: [stdio] }, roles: [viewer] }]',
    /1:45: Nobody has the role writer.*\{ match: \{ transport: \[stdio\] \}, roles: \[writer\] \}/,
    'roles: { viewer: { tools: [echo] }, writer: { inherits: [viewer], tools: [write_file] } }\nprincipals: [{ match: { transport: [stdio] }, roles: [writer] }]',
  ],
  [
    'a sandbox that nothing runs in',
    `sandboxes: { lab: { filesystem: { read: ["."] } } }\n${command(LS)}`,
    /1:19: Nothing runs in the sandbox lab.*Write sandbox: lab/,
    `sandboxes: { lab: { filesystem: { read: ["."] } } }\n${command(`${LS}, sandbox: lab`)}`,
  ],
  [
    'a sandbox that does not exist',
    command(`${LS}, sandbox: labb`),
    /No sandbox is called labb/,
    command(`${LS}, sandbox: workspace`),
  ],
  [
    'a test that names nothing',
    'tests: [{ tool: read_file, expect: allow }]',
    /names nothing that read_file would use.*args: \{ path: src\/a\.ts \}/,
    'tests: [{ tool: read_file, args: { path: src/a.ts }, expect: allow }]',
  ],
  [
    'a test with an argument that is none',
    'tests: [{ tool: list_directory, args: { pth: src }, expect: allow }]',
    /list_directory has no argument pth.*Did you mean path/,
    'tests: [{ tool: list_directory, args: { path: src }, expect: allow }]',
  ],
  [
    'a test that appears twice',
    'tests:\n  - { name: a, tool: echo, expect: allow }\n  - { name: b, tool: echo, expect: allow }',
    /:3:5: This asks the same as the test in line 2/,
    'tests:\n  - { name: a, tool: echo, expect: allow }\n  - { name: b, tool: system_info, expect: allow }',
  ],
  [
    'a test as a role that is none',
    'tests: [{ tool: echo, as: { roles: [viewer] }, expect: deny }]',
    /No role is called viewer/,
    'tests: [{ tool: echo, as: { roles: [default] }, expect: allow }]',
  ],
  [
    'commands without a sandbox under a group',
    `tools: { files.write: { allowed_paths: [out] }, execute_command: { ${LS}, sandbox: none } }`,
    /cannot bind commands that run without a sandbox/,
    `tools: { files.write: { allowed_paths: [out] }, execute_command: { ${LS}, sandbox: workspace } }`,
  ],
];

describe('a policy without effect', () => {
  for (const [name, yaml, said, works] of ROWS) {
    it(`is refused with the form that works: ${name}`, async () => {
      const problems = (await problemsOf(yaml)).join('\n');
      expect(problems).to.match(said);
      expect(problems).to.match(/^\/policy\.yaml:\d+:\d+: /);
      expect(await problemsOf(works)).to.deep.equal([]);
    });
  }

  it('is told whole: every such problem at once', async () => {
    const problems = await problemsOf(
      `tools: { echo: { env: {}, tokens: { limit: 1/h } }, read_file: { shell: none } }`,
    );
    expect(problems).to.have.length(3);
  });

  it('is not what another file says: definitions for those who extend it', async () => {
    const base = `sandboxes: { lab: { filesystem: { read: ["."] } } }\nroles: { viewer: { tools: [echo] } }`;
    expect(
      await problemsOf(
        'extends: [./base.yaml]\nprincipals: [{ match: { transport: [stdio] }, roles: [default] }]',
        { '/base.yaml': base },
      ),
    ).to.deep.equal([]);
  });

  it('hides from commands what a relative pattern of a sandbox names', async () => {
    const { layer } = await load(
      `sandboxes: { s: { filesystem: { read: ["."], hide: [private, "**/*.key"] } } }\n${command(`${LS}, sandbox: s`)}`,
    );
    expect(layer.sandboxes.get('s')?.hide).to.deep.equal(['/workspace/private', '**/*.key']);
  });
});
