import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { builtinTools } from '../../src/presentation/tools/builtin-tools.js';
import { PROJECT } from '../support/spawned-server.js';

const TOOLS = new Set<string>(builtinTools.map(({ name }) => name));

/** What the names of tools begin with; a snake_case word with one of these looks like a tool. */
const VERBS = new Set([...TOOLS].map((name) => name.split('_')[0] ?? ''));

/** A file of a client and an argument that begin with the same words. */
const NO_TOOLS = new Set([
  'claude_desktop_config',
  'list_only',
  'create_dirs',
  'read_bytes',
  'process_id',
  // A tool of Codex.
  'write_stdin',
]);

/** What ends like a tool's last word, with nothing between: `freshfile`. */
const GLUED = /\b[a-z]{3,}(?:files?|path|directory|command|document)\b/g;
const WORDS = new Set(['dotfiles', 'mapfile', 'profile', 'profiles', 'samefile', 'subcommand', 'subpath']);

/** Texts that a person or an agent may read: literals with a space in them. */
function messagesOf(source: string): readonly string[] {
  const code = source
    .replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')
    .replace(/^(?:import|export) .* from .*$/gm, '');
  const literals = code.match(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? [];
  return literals
    .map((literal) => literal.replaceAll(/\$\{[^}]*\}/g, ''))
    .filter((literal) => literal.includes(' '));
}

function strangersIn(message: string): readonly string[] {
  const snake = message.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? [];
  const unknown = snake.filter(
    (word) => VERBS.has(word.split('_')[0] ?? '') && !TOOLS.has(word) && !NO_TOOLS.has(word),
  );
  return [...unknown, ...(message.match(GLUED) ?? []).filter((word) => !WORDS.has(word))];
}

describe('Messages', () => {
  it('name no tool that does not exist', () => {
    const root = join(PROJECT, 'src');
    const strangers = readdirSync(root, { recursive: true, encoding: 'utf8' })
      // A table of other programs' options is no message.
      .filter((name) => name.endsWith('.ts') && name !== 'domain/command/programs/risky-options.ts')
      .flatMap((name) =>
        messagesOf(readFileSync(join(root, name), 'utf8')).flatMap((message) =>
          strangersIn(message).map((word) => `${name}: ${word} in ${message.slice(0, 120)}`),
        ),
      );
    expect(strangers).to.deep.equal([]);
  });

  it('would be found if they did', () => {
    expect(strangersIn('Read it in parts with freshfile.')).to.deep.equal(['freshfile']);
    expect(strangersIn('Call read_document for it.')).to.deep.equal(['read_document']);
    expect(strangersIn('Call read_file for the profile.')).to.deep.equal([]);
  });
});
