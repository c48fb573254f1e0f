import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { CliWorkspace } from '../support/cli-workspace.js';
import { commandInProcess } from '../support/command-in-process.js';

const root = resolve(import.meta.dirname, '../..');
const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

interface Documented {
  readonly place: string;
  readonly words: readonly string[];
}

/** `castellan …` in a block of commands or between backticks, without its comment. */
function documented(): readonly Documented[] {
  return DOCUMENTS.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
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

  it('end without a mistake in usage where they are typed as they stand', async () => {
    const wrong: string[] = [];
    const tried = new Set<string>();
    for (const { place, words } of TYPED) {
      const args = words.slice(1);
      // A server would go on; the token of this machine is not ours to change.
      if (
        args[0] === undefined ||
        args[0] === 'serve' ||
        args[0] === 'token' ||
        args.includes('-') ||
        tried.has(args.join(' '))
      )
        continue;
      tried.add(args.join(' '));
      const project = new CliWorkspace();
      const { code, stderr } = await commandInProcess(args, { cwd: project.folder, env: project.env });
      // 2 is usage; without --yes an installation has nobody to ask, and a bare name is only a mention.
      if (code === 2 && !/Add --yes|missing required argument/.test(stderr))
        wrong.push(`${place}: ${words.join(' ')}: ${stderr}`);
      await project.remove();
    }
    expect(wrong.join('\n')).to.equal('');
  });
});
