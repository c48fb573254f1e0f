export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'argument'; readonly name: string; readonly written: string }
  | { readonly kind: 'resource'; readonly uri: string; readonly written: string }
  | { readonly kind: 'tool'; readonly name: string; readonly written: string }
  | {
      readonly kind: 'run';
      readonly name: string;
      /** Names of the tool's arguments, each with the prompt argument that supplies it. */
      readonly takes: readonly (readonly [parameter: string, argument: string])[];
      readonly written: string;
    };

const MAX_PLACEHOLDER = 300;
const RUN = /^run:\s*([\w.-]+)((?:\s+\w+=[\w-]+)*)$/;

/** Parses a template once: values filled in later are never searched for placeholders. */
export function parseTemplate(text: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (let close = text.indexOf('}}'); close !== -1; close = text.indexOf('}}', close + 1)) {
    const start = Math.max(end, close - 2 * MAX_PLACEHOLDER);
    const before = text.slice(start, close).lastIndexOf('{{');
    if (before === -1) continue;
    const open = start + before;
    const inner = text.slice(open + 2, close);
    const name = inner.trim();
    if (name === '' || name.length > MAX_PLACEHOLDER || /[{}\n]/.test(inner)) continue;
    if (open > end) parts.push({ kind: 'text', text: text.slice(end, open) });
    parts.push(placeholder(name, text.slice(open, close + 2)));
    end = close + 2;
    close = end - 1;
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) });
  return parts;
}

function placeholder(inner: string, written: string): TemplatePart {
  if (inner.startsWith('resource:')) return { kind: 'resource', uri: inner.slice(9).trim(), written };
  if (inner.startsWith('tool:')) return { kind: 'tool', name: inner.slice(5).trim(), written };
  const [, name, pairs = ''] = RUN.exec(inner) ?? [];
  if (name !== undefined) return { kind: 'run', name, takes: takesOf(pairs), written };
  return { kind: 'argument', name: inner, written };
}

function takesOf(pairs: string): readonly (readonly [string, string])[] {
  return pairs
    .split(/\s+/)
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [parameter = '', argument = ''] = pair.split('=');
      return [parameter, argument] as const;
    });
}
