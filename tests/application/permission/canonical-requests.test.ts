import { expect } from 'chai';
import { before, describe, it } from 'mocha';
import {
  type CommandSurroundings,
  canonicalCommand,
  canonicalRequest,
} from '../../../src/application/permission/canonical-requests.js';
import type { CommandParser } from '../../../src/application/ports/command/command-parser.js';
import type { PermissionRequest } from '../../../src/domain/permission/policy/permission-request.js';
import { loadShellParser } from '../../../src/infrastructure/shell/shell-parser.js';

const WORKSPACE = { root: '/w', named: '/link' };

/** `read /w/a`, or why it is refused. */
function shown(request: Exclude<PermissionRequest, { kind: 'run-command' }>): string {
  const canonical = canonicalRequest(request, WORKSPACE);
  switch (canonical.kind) {
    case 'refused':
      return `${canonical.reason}: ${canonical.message}`;
    case 'host':
      return `host ${canonical.host}${canonical.port === undefined ? '' : ` ${canonical.port}`}`;
    case 'command':
      return 'command';
    case 'read':
    case 'write':
      return `${canonical.kind} ${canonical.path} as ${canonical.argument}`;
  }
}

describe('A path in its canonical form', () => {
  const TABLE: readonly (readonly [path: string, wanted: string])[] = [
    ['a', 'read /w/a as path'],
    ['.', 'read /w as path'],
    ['a/../b/./c', 'read /w/b/c as path'],
    ['../x', 'read /x as path'],
    ['/etc/hosts', 'read /etc/hosts as path'],
    ['/link/a', 'read /w/a as path'],
    ['/link', 'read /w as path'],
    ['/linked', 'read /linked as path'],
    ['', 'UNPARSEABLE: path is empty.'],
    ['a\0', 'UNPARSEABLE: path contains a NUL character.'],
    ['\ud800', 'UNPARSEABLE: path is not valid Unicode.'],
    ['n'.repeat(256), 'UNPARSEABLE: path has a name of more than 255 bytes.'],
    ['é'.repeat(128), 'UNPARSEABLE: path has a name of more than 255 bytes.'],
    ['n/'.repeat(2049), 'UNPARSEABLE: path is longer than 4096 bytes.'],
  ];
  for (const [path, wanted] of TABLE) {
    it(`${JSON.stringify(path.slice(0, 20))}: ${wanted}`, () =>
      expect(shown({ kind: 'read-path', path, argument: 'path' })).to.equal(wanted));
  }

  it('may have names and a length up to what the system takes', () => {
    const name = 'n'.repeat(255);
    expect(shown({ kind: 'read-path', path: name, argument: 'path' })).to.include(`/w/${name}`);
    const path = 'n/'.repeat(2048);
    expect(shown({ kind: 'read-path', path, argument: 'path' })).to.match(/^read/);
  });

  it('says which argument it came from, and what is deleted', () => {
    expect(shown({ kind: 'write-path', path: 'a', argument: 'destination' })).to.equal(
      'write /w/a as destination',
    );
    expect(
      canonicalRequest({ kind: 'write-path', path: 'a', argument: 'path', deletes: true }, WORKSPACE),
    ).to.deep.equal({ kind: 'write', path: '/w/a', argument: 'path', deletes: true });
  });
});

describe('A host in its canonical form', () => {
  const TABLE: readonly (readonly [host: string, port: number | undefined, wanted: string])[] = [
    ['API.Example.com.', undefined, 'host api.example.com'],
    ['a.b', 443, 'host a.b 443'],
    ['::1', undefined, 'host ::1'],
    ['', undefined, 'UNPARSEABLE: The host is neither a name nor an address.'],
    ['a b', undefined, 'UNPARSEABLE: The host is neither a name nor an address.'],
    ['a'.repeat(254), undefined, 'UNPARSEABLE: The host is neither a name nor an address.'],
  ];
  for (const [host, port, wanted] of TABLE) {
    it(`${host.slice(0, 20)} ${port ?? ''}: ${wanted}`, () =>
      expect(shown({ kind: 'reach-host', host, ...(port !== undefined && { port }) })).to.equal(wanted));
  }
});

describe('A command in its canonical form', () => {
  let parser: CommandParser;
  before(async () => {
    parser = await loadShellParser();
  });

  function command(
    line: string,
    more: Partial<CommandSurroundings> = {},
    asked: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
  ) {
    const surroundings = { workspace: '/w', shell: 'static', parser, anyProgram: false, ...more } as const;
    const canonical = canonicalCommand({ kind: 'run-command', command: line, ...asked }, surroundings);
    if (canonical.kind !== 'command') throw new Error(JSON.stringify(canonical));
    return canonical;
  }

  it('has the files of its redirections, seen from the folder of each program', () => {
    const { files } = command('cat < a > b; cd sub && cat >> ../c', {}, { cwd: 'x' });
    expect(files).to.deep.equal([
      { mode: 'read', path: '/w/x/a' },
      { mode: 'write', path: '/w/x/b' },
      { mode: 'write', path: '/w/x/c' },
    ]);
  });

  it('has what each program reads and writes, but no pattern', () => {
    const [cat, copy] = command('cat a *.ts /etc/hosts; cp a b').programs;
    expect(cat?.reads).to.deep.equal(['/w/a', '/etc/hosts']);
    expect(copy).to.deep.include({ reads: ['/w/a'], writes: ['/w/b'], directory: '/w' });
  });

  it('knows interpreters, programs that run others, and options that are a hazard', () => {
    const [python, npm, find] = command('python3 a; npm --silent exec b; find . -delete').programs;
    expect(python?.interpreter).to.equal(true);
    expect(npm).to.deep.include({ interpreter: false, runsAt: 1 });
    expect(python).to.not.have.property('runsAt');
    expect(find?.hazard?.message).to.include('-delete');
    expect(python).to.not.have.property('hazard');
  });

  it('knows where programs lie: by looking, or by their paths alone', () => {
    const locations = (more: Partial<CommandSurroundings>) =>
      command('ls; /usr/bin/ls; ./ls; cd sub', more).programs.map(({ location }) => location);
    expect(locations({})).to.deep.equal(['unknown', 'trusted', 'untrusted']);
    const located = (trusted: boolean) => ({
      locate: () => ({ path: '/usr/bin/ls', realPath: '/real/ls', trusted }),
    });
    expect(locations(located(true))).to.deep.equal(['trusted', 'trusted', 'trusted']);
    expect(locations(located(false))).to.deep.equal(['untrusted', 'untrusted', 'untrusted']);
    expect(command('ls', located(true)).programs[0]?.resolvedPath).to.equal('/real/ls');
  });

  it('looks each of its programs up once, however often it names one', () => {
    const asked: string[] = [];
    const locate = (program: string): undefined => void asked.push(program);
    command('ls; cat a; ls b; cat c; missing; missing', { locate });
    expect(asked).to.deep.equal(['ls', 'cat', 'missing']);
  });

  it('names wide deletions, the variables of the call and of the line', () => {
    expect(command('rm -rf .; rm -rf ./').deletes).to.deep.equal(['/w']);
    expect(command('rm -rf /link', { named: '/link' }).deletes).to.deep.equal(['/w']);
    expect(command('rm -rf build')).to.not.have.property('deletes');
    expect(command('ls', {}, { env: { A: '1', B: '2' } }).env).to.deep.equal(['A', 'B']);
    expect(command('LANG=C ls').assigned).to.deep.equal(['LANG']);
    expect(command('ls')).to.not.have.property('assigned');
  });

  it('is taken as words where it is given as words', () => {
    const canonical = canonicalCommand(
      { kind: 'run-command', command: 'ls', args: ['a; b'] },
      { workspace: '/w', shell: 'none', parser, anyProgram: false },
    );
    expect(canonical.kind === 'command' && canonical.programs[0]?.args).to.deep.equal([
      { kind: 'literal', text: 'a; b' },
    ]);
  });

  it('is refused where its folder or its text cannot be read, with a way out where a shell may run', () => {
    const refused = (line: string, anyProgram: boolean, cwd?: string) =>
      canonicalCommand(
        { kind: 'run-command', command: line, ...(cwd !== undefined && { cwd }) },
        { workspace: '/w', shell: 'static', parser, anyProgram },
      );
    expect(refused('ls', false, 'a\0')).to.deep.include({
      kind: 'refused',
      reason: 'UNPARSEABLE',
      message: 'cwd contains a NUL character.',
    });
    const script = 'for f in *; do ls $f; done';
    const plain = refused(script, false);
    const open = refused(script, true);
    expect(plain.kind === 'refused' && plain.hint).to.not.include("bash <<'EOF'");
    expect(open.kind === 'refused' && open.hint).to.include("bash <<'EOF'");
    const broken = refused("ls 'a", true);
    expect(broken.kind === 'refused' && broken.hint).to.not.include("bash <<'EOF'");
  });
});
