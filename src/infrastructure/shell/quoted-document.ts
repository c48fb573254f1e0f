import type { CommandExpansionPart, Word } from 'unbash';
import { readBody } from './shell-heredoc.js';
import type { QuotedDocument, WordToken } from './shell-token.js';

const OPENING = /\$\([ \t\n]*cat[ \t]+<<(-?)[ \t]*(?:'(\w+)'|"(\w+)"|\\(\w+))[ \t]*\n/y;
const CLOSING = /[ \t\n]*\)/y;

/** `$(cat <<'EOF' … EOF)` at this place: how agents give a text of several lines to one argument. */
export function quotedDocument(text: string, pos: number): QuotedDocument | undefined {
  OPENING.lastIndex = pos;
  const opening = OPENING.exec(text);
  if (opening === null) return undefined;
  const delimiter = opening[2] ?? opening[3] ?? opening[4] ?? '';
  const read = readBody(text, OPENING.lastIndex, delimiter, opening[1] === '-');
  if (read === undefined) return undefined;
  CLOSING.lastIndex = read.end;
  return CLOSING.exec(text) === null ? undefined : { pos, end: CLOSING.lastIndex, body: read.text };
}

/** Whether the parser found the same documents in a word, and no other expansion. */
export function sameDocuments({ parts = [] }: Word, { documents = [] }: WordToken): boolean {
  const inner = parts.flatMap((part) => (part.type === 'DoubleQuoted' ? part.parts : []));
  const found = inner.filter((part): part is CommandExpansionPart => part.type === 'CommandExpansion');
  const isPlain =
    parts.every(({ type }) => type === 'DoubleQuoted' || type === 'SingleQuoted' || type === 'Literal') &&
    inner.every(({ type }) => type === 'Literal' || type === 'CommandExpansion');
  return (
    isPlain &&
    found.length === documents.length &&
    found.every((part, index) => isSame(part, documents[index]))
  );
}

function isSame({ pos, end, script }: CommandExpansionPart, document: QuotedDocument | undefined): boolean {
  const [statement, ...others] = script?.commands ?? [];
  const command = statement?.command;
  if (document === undefined || command?.type !== 'Command' || others.length > 0) return false;
  const [heredoc, ...more] = command.suffix;
  if (heredoc?.type !== 'HereDoc' || more.length > 0 || command.prefix.length > 0) return false;
  const body = heredoc.operator === '<<-' ? heredoc.body.text.replace(/^\t+/gm, '') : heredoc.body.text;
  return (
    pos === document.pos &&
    end === document.end &&
    statement?.background !== true &&
    command.name?.value === 'cat' &&
    heredoc.delimiter?.quoted === true &&
    body === document.body
  );
}
