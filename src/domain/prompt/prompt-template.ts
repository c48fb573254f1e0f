export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'argument'; readonly name: string; readonly written: string }
  | { readonly kind: 'resource'; readonly uri: string; readonly written: string }
  | { readonly kind: 'tool'; readonly name: string; readonly written: string };

const PLACEHOLDER = /\{\{\s*([^{}\n]{1,300}?)\s*\}\}/g;

/** A template read once: what is put into it later is never read for placeholders again. */
export function parseTemplate(text: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const found of text.matchAll(PLACEHOLDER)) {
    if (found.index > end) parts.push({ kind: 'text', text: text.slice(end, found.index) });
    parts.push(placeholder(found[1] ?? '', found[0]));
    end = found.index + found[0].length;
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) });
  return parts;
}

function placeholder(inner: string, written: string): TemplatePart {
  if (inner.startsWith('resource:')) return { kind: 'resource', uri: inner.slice(9).trim(), written };
  if (inner.startsWith('tool:')) return { kind: 'tool', name: inner.slice(5).trim(), written };
  return { kind: 'argument', name: inner, written };
}
