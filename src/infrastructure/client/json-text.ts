import type { Node } from 'jsonc-parser';

/** A file's own way of writing. */
interface Style {
  readonly indent: string;
  readonly eol: string;
}

/**
 * The text with one more member, right after the brace, so that every comment keeps what it stands beside. The
 * library's own edit would lay out the neighbours anew.
 */
export function insertMember(text: string, object: Node, key: string, value: unknown): string {
  const style = styleOf(text);
  const base = /^[ \t]*/.exec(lineOf(text, object.offset))?.[0] ?? '';
  const inner = base + style.indent;
  const member = JSON.stringify({ [key]: value }, undefined, style.indent)
    .split('\n')
    .slice(1, -1)
    .map((line) => base + line)
    .join(style.eol);
  const at = object.offset + 1;
  const rest = text.slice(at, object.offset + object.length - 1);
  const isEmpty = (object.children ?? []).length === 0;
  if (isEmpty && rest.trim() === '') {
    return `${text.slice(0, at)}${style.eol}${member}${style.eol}${base}${text.slice(at + rest.length)}`;
  }
  const onOwnLine = /^[ \t]*\r?\n/.test(rest) ? '' : `${style.eol}${inner}`;
  const after = onOwnLine === '' ? text.slice(at) : `${onOwnLine}${text.slice(at).trimStart()}`;
  return `${text.slice(0, at)}${style.eol}${member}${isEmpty ? '' : ','}${after}`;
}

/** The text with one more item at the end of a list that is there. */
export async function appendItem(text: string, path: readonly string[], item: unknown): Promise<string> {
  const { findNodeAtLocation, parseTree } = await import('jsonc-parser');
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const list = tree && findNodeAtLocation(tree, [...path]);
  if (list === undefined) return text;
  const style = styleOf(text);
  const base = /^[ \t]*/.exec(lineOf(text, list.offset))?.[0] ?? '';
  const inner = base + style.indent;
  const lines = JSON.stringify(item, undefined, style.indent).split('\n');
  const shown = lines.map((line, index) => (index === 0 ? line : inner + line)).join(style.eol);
  const last = list.children?.at(-1);
  if (last === undefined) {
    const end = list.offset + list.length;
    return `${text.slice(0, list.offset)}[${style.eol}${inner}${shown}${style.eol}${base}]${text.slice(end)}`;
  }
  const end = last.offset + last.length;
  const comma = nextComma(text, end);
  const at = comma === undefined ? end : comma + 1;
  return `${text.slice(0, at)}${comma === undefined ? ',' : ''}${style.eol}${inner}${shown}${text.slice(at)}`;
}

/** The text without a member: its comma goes with it, comments stay. */
export function removeMember(text: string, object: Node, member: Node): string {
  const members = object.children ?? [];
  const start = lineBegins(text, member.offset);
  const end = member.offset + member.length;
  const comma = nextComma(text, end);
  if (comma !== undefined) {
    const whole = /^[ \t]*\r?\n/.exec(text.slice(comma + 1));
    // A line of its own goes with its end; what shares the line stays where it is.
    const until = comma + 1 + (whole === null || start === undefined ? 0 : whole[0].length);
    return text.slice(0, start ?? member.offset) + text.slice(until);
  }
  const before = members[members.indexOf(member) - 1];
  const rest = text.slice(end);
  const head = text.slice(0, member.offset).trimEnd();
  if (before === undefined) {
    const line = start === undefined ? null : /^[ \t]*\r?\n/.exec(rest);
    if (line === null || rest.trimStart().startsWith('}')) return `${head}${rest.trimStart()}`;
    return `${text.slice(0, start)}${rest.slice(line[0].length)}`;
  }
  const last = nextComma(text, before.offset + before.length) ?? head.length;
  return `${text.slice(0, last)}${text.slice(last + 1, head.length)}${rest}`;
}

/** The comma after a value; comments may stand between. */
function nextComma(text: string, from: number): number | undefined {
  const gap = /^(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/.exec(text.slice(from))?.[0].length ?? 0;
  return text[from + gap] === ',' ? from + gap : undefined;
}

/** Where the line begins, if nothing but blanks stands before the place. */
function lineBegins(text: string, at: number): number | undefined {
  const begin = text.lastIndexOf('\n', at - 1) + 1;
  return text.slice(begin, at).trim() === '' ? begin : undefined;
}

function lineOf(text: string, at: number): string {
  return text.slice(text.lastIndexOf('\n', at - 1) + 1);
}

function styleOf(text: string): Style {
  return {
    indent: /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ',
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}
