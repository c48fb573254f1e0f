import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { SandboxJob } from '../../../../src/application/ports/command/command-sandbox.js';
import { explainFailure } from '../../../../src/infrastructure/command/feedback/sandbox-hint.js';
import { GENEROUS } from '../../../support/sandbox-jobs.js';

const JOB: SandboxJob = {
  program: { kind: 'argv', file: '/bin/true', args: [] },
  cwd: '/project',
  env: {},
  view: { read: [], write: ['/project'], hide: [], readOnlyInside: ['/project/.git/hooks'] },
  home: '/home/private',
  network: 'none',
  systemCalls: 'filtered',
  limits: GENEROUS,
};

describe('explainFailure', () => {
  const cases: readonly (readonly [string, number, RegExp])[] = [
    [
      "touch: cannot touch '/etc/x': Read-only file system",
      1,
      /Writable: \/project, \/tmp, \$HOME; read-only inside: \/project\/.git\/hooks.*filesystem\.write/,
    ],
    ["EACCES: permission denied, open '/x'", 1, /Writable: \/project/],
    ['curl: (6) Could not resolve host: example.com', 6, /network is off.*ask the user/],
    ['npm error code ENOTFOUND', 1, /network is off/],
    ['ERROR: No matching distribution found for requests', 1, /network is off/],
    ['Temporary failure in name resolution', 1, /network is off/],
    ['sh: 1: Cannot fork', 2, /At most 128 processes/],
    ['write error: No space left on device', 1, /\/tmp holds at most 16 MiB/],
    ['', 153, /One file may grow to 100 MiB/],
    ['', 152, /30 s of processor time/],
    ['open: Too many open files', 1, /At most 256 files/],
    ['Error: listen EPERM: operation not permitted /tmp/x.pipe', 1, /Unix sockets cannot be opened/],
    ['MemoryError', 1, /1024 MiB of memory/],
  ];
  for (const [stderr, exitCode, hint] of cases) {
    it(`explains ${exitCode} ${JSON.stringify(stderr)}`, () => {
      expect(explainFailure({ exitCode, stdout: '', stderr }, JOB)).to.match(hint);
    });
  }

  it('names a hidden file that a command tried to open, and not what can be written', () => {
    const job = { ...JOB, view: { ...JOB.view, hide: ['/project/app/.env'] } };
    const hint = explainFailure({ exitCode: 1, stdout: '', stderr: 'cat: app/.env: Permission denied' }, job);
    expect(hint).to.include('cannot read .env: the policy hides').and.not.to.include('Writable');
    expect(explainFailure({ exitCode: 1, stdout: '', stderr: 'x: Permission denied' }, job)).to.include(
      'Writable',
    );
  });

  it('names the protected file that something wanted to replace by renaming', () => {
    const program = {
      kind: 'script',
      shell: '/bin/bash',
      text: "sed -i 's/a/b/' CLAUDE.md || true",
    } as const;
    const job = {
      ...JOB,
      program,
      view: { ...JOB.view, readOnlyInside: ['/project/CLAUDE.md', '/project/.mcp.json'] },
    };
    const stderr = 'sed: cannot rename ./sedJW1B1e: Device or resource busy';
    const hint = explainFailure({ exitCode: 0, stdout: '', stderr }, job);
    expect(hint).to.include('Commands cannot change CLAUDE.md:').and.not.include('.mcp.json');
  });

  it('tells of a request without a word, and not of one to the session itself or in a text', () => {
    const silent = (text: string): string | undefined =>
      explainFailure(
        { exitCode: 0, stdout: '', stderr: '' },
        { ...JOB, program: { kind: 'script', shell: '/bin/bash', text } },
      );
    for (const text of [
      'curl -s https://example.com | jq . || true',
      "'/usr/bin/curl' '-s' 'https://example.com' ; '/usr/bin/true'",
      'cd x && wget -q http://example.com/a.tgz; true',
    ])
      expect(silent(text), text).to.match(/network is off/);
    for (const text of [
      'curl -s http://localhost:3000; true',
      'curl -s http://127.0.0.1:3000/https://x',
      'echo "curl https://example.com"',
      "cat > a.md <<'EOF'\ncurl https://example.com\nEOF",
    ])
      expect(silent(text), text).to.equal(undefined);
  });

  it('does not take the names of errors and of services for a network that is off', () => {
    for (const stderr of [
      "FileNotFoundError: [Errno 2] No such file or directory: 'x'",
      "ModuleNotFoundError: No module named 'x'",
      'Failed to connect to bus: Host is down',
    ])
      expect(explainFailure({ exitCode: 1, stdout: '', stderr }, JOB), stderr).to.equal(undefined);
    const socket =
      'permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock';
    expect(explainFailure({ exitCode: 1, stdout: '', stderr: socket }, JOB))
      .to.match(/^Unix sockets cannot/)
      .and.not.include('Writable');
  });

  it('says where the home and /opt of commands are', () => {
    const missing = (path: string, PATH = '/usr/bin'): string | undefined =>
      explainFailure(
        { exitCode: 2, stdout: '', stderr: `ls: cannot access '${path}': No such file or directory` },
        { ...JOB, env: { PATH }, program: { kind: 'argv', file: '/bin/ls', args: [path] } },
      );
    expect(missing('/home/private/projects')).to.match(/home of commands is their own/);
    expect(missing('/opt/data')).to.match(/\/opt\/data lies outside/);
    expect(missing('/opt/node/lib/x', '/usr/bin:/opt/node/bin')).to.equal(undefined);
  });

  it('tells what was ended because the command left it running', () => {
    const hint = explainFailure({ exitCode: 0, stdout: '', stderr: '' }, JOB, ['node', 'sleep']);
    expect(hint).to.match(/ended with it: node, sleep\. .*background: true/);
  });

  it('says nothing about a success or an ordinary failure', () => {
    expect(explainFailure({ exitCode: 0, stdout: '', stderr: 'Permission denied' }, JOB)).to.equal(undefined);
    expect(explainFailure({ exitCode: 1, stdout: '2 tests failed', stderr: '' }, JOB)).to.equal(undefined);
  });

  describe('where the command succeeded', () => {
    const job: SandboxJob = {
      ...JOB,
      view: {
        ...JOB.view,
        hide: ['/project/.env'],
        readOnlyInside: ['/project/CLAUDE.md', '/project/.git/hooks'],
      },
    };
    const hint = (stderr: string, stdout = '', given = job) =>
      explainFailure({ exitCode: 0, stdout, stderr }, given);

    it('says that the network is off, once', () => {
      const twice = 'curl: (6) Could not resolve host: x\ncurl: (6) Could not resolve host: y\n';
      expect(hint(twice)?.match(/network is off/g)).to.have.length(1);
      expect(hint(twice, '', { ...job, network: 'host' })).to.equal(undefined);
    });

    it('reads the error of a slow curl behind its progress, in joined streams', () => {
      const slow =
        '\r  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0curl: (6) Could not resolve host: x\n';
      expect(hint('', slow, { ...job, joinStreams: true })).to.include('network is off');
    });

    it('names the protected file that was not written, and the hidden one that was not read', () => {
      expect(hint('bash: line 1: CLAUDE.md: Read-only file system')).to.match(
        /^Commands cannot change CLAUDE\.md:/,
      );
      expect(hint("cp: cannot create regular file '/project/CLAUDE.md': Read-only file system")).to.include(
        'CLAUDE.md',
      );
      expect(hint('cat: .env: Permission denied')).to.match(/^Commands cannot read \.env: the policy hides/);
      expect(hint("[Errno 13] Permission denied: '.env'")).to.include('.env');
    });

    it('says nothing about files that only look alike, other refusals, or what a file contains', () => {
      expect(hint('cat: .env.example: Permission denied')).to.equal(undefined);
      expect(hint('cat: my.env: Permission denied')).to.equal(undefined);
      expect(hint('cat: other: Permission denied')).to.equal(undefined);
      expect(hint('', 'log: .env: Permission denied\ncurl: (6) Could not resolve host: x')).to.equal(
        undefined,
      );
      expect(hint('', 'done')).to.equal(undefined);
    });

    it('reads what was printed where errors were sent there', () => {
      const program = {
        kind: 'script',
        shell: '/bin/bash',
        text: "'/bin/cat' '.env' 2>&1 | '/bin/cat'",
      } as const;
      expect(hint('', 'cat: .env: Permission denied', { ...job, program })).to.include(
        'Commands cannot read .env',
      );
    });
  });

  it('explains a network program that failed without a word', () => {
    const program = { kind: 'argv', file: '/usr/bin/curl', args: ['-s', 'https://example.com'] } as const;
    expect(explainFailure({ exitCode: 6, stdout: '', stderr: '' }, { ...JOB, program })).to.include(
      'network is off',
    );
  });

  it('does not blame the network for a server on the loopback that is not there', () => {
    const refused = (text: string, stderr: string) =>
      explainFailure(
        { exitCode: 7, stdout: '', stderr },
        { ...JOB, program: { kind: 'script', shell: '/bin/bash', text } },
      );
    const words =
      'curl: (7) Failed to connect to localhost port 3000 after 0 ms: Could not connect to server';
    expect(refused('curl localhost:3000', words)).to.equal(undefined);
    expect(refused('curl -s http://127.0.0.1:3000/', '')).to.equal(undefined);
    expect(refused('./client', 'dial tcp [::1]:80: connect: connection refused')).to.equal(undefined);
    expect(refused('curl -s localhost:1; curl -s https://example.com', '')).to.include('network is off');
    expect(refused('x', `${words}\ncurl: (6) Could not resolve host: y`)).to.include('network is off');
  });

  it('does not talk of writing where a process was to be traced or a file executed', () => {
    const hint = (exitCode: number, stderr: string, job = JOB) =>
      explainFailure({ exitCode, stdout: '', stderr }, job);
    const traced = 'strace: test_ptrace_get_syscall_info: PTRACE_TRACEME: Operation not permitted';
    expect(hint(1, traced)).to.match(/^A process cannot look into another in this sandbox \(ptrace\)/);
    expect(hint(1, traced)).not.to.include('Writable');
    expect(hint(1, traced, { ...JOB, systemCalls: 'all' })).to.equal(undefined);
    for (const [code, said] of [
      [126, 'bash: line 1: ./run.sh: Permission denied'],
      [1, 'Error: spawn ./run.sh EACCES'],
    ] as const)
      expect(hint(code, said)).to.match(/^The file is not executable\. Run it with/);
  });

  it('does not blame a network that is on', () => {
    const job = { ...JOB, network: 'host' } as const;
    expect(explainFailure({ exitCode: 6, stdout: '', stderr: 'Could not resolve host' }, job)).to.equal(
      undefined,
    );
  });

  describe('says that a path lies outside the view', () => {
    const outside: readonly (readonly [string, string])[] = [
      ['cat: /home/user/notes.txt: No such file or directory', '/home/user/notes.txt'],
      ["ls: cannot access '../other': No such file or directory", '../other'],
      ["Error: ENOENT: no such file or directory, open '/srv/data/x.json'", '/srv/data/x.json'],
      ['bash: line 1: cd: /root/project: No such file or directory', '/root/project'],
      ["FileNotFoundError: [Errno 2] No such file or directory: '/var/lib/x'", '/var/lib/x'],
    ];
    for (const [stderr, path] of outside) {
      it(stderr, () => {
        const hint = explainFailure({ exitCode: 1, stdout: '', stderr }, JOB) ?? '';
        expect(hint).to.include(`${path} lies outside`).and.to.include('not visible to commands here');
        expect(explainFailure({ exitCode: 0, stdout: '', stderr }, JOB)).to.equal(hint);
      });
    }

    it('and says nothing of what is missing inside, or of a program', () => {
      for (const stderr of [
        'cat: missing.txt: No such file or directory',
        'cat: /project/missing.txt: No such file or directory',
        'cat: /usr/share/missing: No such file or directory',
        'cat: /home/private/x: No such file or directory',
        'bash: line 1: foo: command not found',
      ])
        expect(explainFailure({ exitCode: 1, stdout: '', stderr }, JOB), stderr).to.equal(undefined);
    });

    it('and that /tmp is the own one of commands', () => {
      const stderr = 'cat: /tmp/made-elsewhere: No such file or directory';
      expect(explainFailure({ exitCode: 1, stdout: '', stderr }, JOB)).to.match(
        /\/tmp of commands is their own/,
      );
    });
  });

  it('names a program that the policy denies', () => {
    const job = { ...JOB, without: ['/usr/bin/rm'] };
    const hint = explainFailure({ exitCode: 126, stdout: '', stderr: 'sh: 1: rm: Permission denied' }, job);
    expect(hint).to.match(/^The policy denies rm: to commands it does not exist/);
  });

  it('repeats what the policy would need for the network', () => {
    const hint = explainFailure(
      { exitCode: 6, stdout: '', stderr: 'curl: (6) Could not resolve host: x' },
      { ...JOB, networkAdvice: ' Write this.' },
    );
    expect(hint).to.match(/ask the user\. Write this\.$/);
  });
});
