import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { CliWorkspace } from '../support/cli-workspace.js';
import { commandInProcess } from '../support/command-in-process.js';
import { eventually } from '../support/eventually.js';
import { MAIN } from '../support/spawned-server.js';

const root = resolve(import.meta.dirname, '../..');
const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !/^(?:adr|template|clients)\//.test(name))
    .map((name) => join('docs', name)),
];

interface Documented {
  readonly place: string;
  readonly words: readonly string[];
}

/** `castellan …` in a block of commands or between backticks, without its comment. Sessions with their output are others' to try. */
function documented(): readonly Documented[] {
  return DOCUMENTS.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .replaceAll(/```console\n[\s\S]*?```/g, (session) => session.replaceAll(/[^\n]/g, ''))
      .split('\n')
      .flatMap((line, index) => {
        const place = `${file}:${index + 1}`;
        const inline = [...line.matchAll(/`(castellan [^`]+)`/g)].map(([, text = '']) => text);
        const block = /^(?:\$ )?(castellan [^#]+?)(?:\s{3,}.*)?$/.exec(line)?.[1];
        return [...inline, ...(block === undefined ? [] : [block])].map((text) => ({
          place,
          words: wordsOf(text),
        }));
      }),
  );
}

/** Split as a shell does it; what follows a pipe, a redirection or a comment is somebody else's. */
function wordsOf(line: string): readonly string[] {
  const own = line.replace(/\s+(?:#|\||>|<|&&).*$/, '');
  const words = own.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  return words.map((word) => word.replace(/^(['"])(.*)\1$/s, '$2'));
}

/** A synopsis rather than a line to type: placeholders, choices, optional parts. */
function isSynopsis(words: readonly string[]): boolean {
  return words.some((word) => /^[A-Z]{2,}$|^\[|\]$|…|\.\.\.|^[a-z]+\|[a-z|]+$/.test(word));
}

const COMMANDS = documented();
const TYPED = COMMANDS.filter(({ words }) => !isSynopsis(words));

describe('the commands in the documents', () => {
  it('are found', () => {
    expect(COMMANDS.length).to.be.greaterThan(60);
    expect(TYPED.length).to.be.greaterThan(20);
  });

  it('are all understood: every command and option is there', async () => {
    const project = new CliWorkspace();
    const wrong: string[] = [];
    const asked = new Set<string>();
    for (const { place, words } of COMMANDS) {
      const [command = '', second = ''] = words.slice(1).map((word) => word.replaceAll(/[[\]]/g, ''));
      const names = /^[a-z|]+$/.test(command) ? command.split('|') : [];
      const below = ['policy', 'audit', 'token'].includes(command) ? second.split('|') : [''];
      for (const line of names.flatMap((name) => below.map((part) => `help ${name} ${part}`.trim()))) {
        if (asked.has(line)) continue;
        asked.add(line);
        const { code, stderr } = await commandInProcess(line.split(' '), {
          cwd: project.folder,
          env: project.env,
        });
        if (code !== 0) wrong.push(`${place}: ${words.join(' ')}: ${stderr}`);
      }
    }
    await project.remove();
    expect(wrong.join('\n')).to.equal('');
  });

  it('end well where they are typed as they stand', async () => {
    const wrong: string[] = [];
    // The reader's project began with it, and it overwrites nothing.
    const tried = new Set(['init']);
    const project = await projectOfReader();
    for (const { place, words } of TYPED) {
      const args = answered(words.slice(1));
      const [command] = args;
      if (command === undefined || SERVES.has(command) || PERSONAL.has(command)) continue;
      if (tried.has(args.join(' '))) continue;
      tried.add(args.join(' '));
      const { code, stderr } = await commandInProcess(args, { cwd: project.folder, env: project.env });
      // A name without what it needs is only mentioned.
      if (code !== 0 && !/missing required argument/.test(stderr))
        wrong.push(`${place}: ${words.join(' ')}: ${code} ${stderr}`);
    }
    await project.remove();
    expect(wrong.join('\n')).to.equal('');
  });

  it('serve until they are ended where they serve', async () => {
    const lines = TYPED.map(({ words }) => words.slice(1)).filter(([command = '']) => SERVES.has(command));
    for (const args of new Map(lines.map((line) => [line.join(' '), line])).values()) {
      const project = new CliWorkspace();
      const server = spawn(process.execPath, [MAIN, ...args, '--port', '0'], {
        cwd: project.folder,
        env: { ...process.env, ...project.env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const ended = once(server, 'exit');
      let printed = '';
      for (const output of [server.stdout, server.stderr])
        output.on('data', (part) => {
          printed += String(part);
        });
      await eventually('it serves', () => printed.includes('Castellan serves MCP at'), 60_000);
      server.kill('SIGTERM');
      expect(await ended, args.join(' ')).to.deep.equal([0, null]);
      await project.remove();
    }
    expect(lines.length).to.be.greaterThan(0);
  });

  it('of npm and npx name scripts and files that are there', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const npm = DOCUMENTS.flatMap((file) => [
      ...readFileSync(join(root, file), 'utf8').matchAll(/\bnp(?:m|x) [^`#&\n]+/g),
    ]).map(([line]) => line.trim());
    expect(npm.length).to.be.greaterThan(20);
    for (const line of npm) {
      const script = /^npm (?:run )?(\S+)/.exec(line)?.[1];
      const runs =
        script !== undefined && (line.startsWith('npm run ') || ['test', 'start'].includes(script));
      if (runs) expect(scripts, line).to.have.property(script);
      const file = /\b(?:scripts|bench|tests)\/[\w./-]+/.exec(line)?.[0];
      if (file !== undefined) expect(existsSync(join(root, file)), line).to.equal(true);
    }
  });
});

/** They go on until they are ended. */
const SERVES: ReadonlySet<string> = new Set(['serve']);
/** They want a person at a terminal. */
const PERSONAL: ReadonlySet<string> = new Set(['approve', 'console']);

/** Nobody is there to say yes. */
function answered(args: readonly string[]): readonly string[] {
  return /^(?:un)?install$/.test(args[0] ?? '') && args.length > 1 ? [...args, '--yes'] : args;
}

/** What whoever reads the documents from the top has by then: a policy, settings, one call, a module of tools. */
async function projectOfReader(): Promise<CliWorkspace> {
  const project = new CliWorkspace();
  const run = (...args: string[]) => commandInProcess(args, { cwd: project.folder, env: project.env });
  project.write('my-tools.mjs', 'export default [];\n');
  for (const ready of [await run('init'), await run('call', 'echo', '{"message":"hello"}')])
    expect(ready.code, ready.stderr).to.equal(0);
  return project;
}
