import { isInside } from '../../path/normal-path.js';

/** One entry of `also_allow`: a single permission added to what a policy allows. */
export interface Addition {
  /** A tool, or the group files.read or files.write. */
  readonly tool: string;
  readonly path?: string;
  /** The program and its words; `*` stands for any one word. */
  readonly command?: readonly string[];
  readonly network?: 'full';
  readonly interpreter?: true;
  readonly host?: string;
  readonly env?: string;
}

const LONGEST = 300;
const MOST = 6;

/**
 * The last sentence of a hint: the text to paste into the policy file. It repeats only the caller's own
 * words. If there are no additions, or they are too long to read, the user has to find the rule.
 */
export function suggestAdditions(
  additions: readonly Addition[] | undefined,
  { listed }: { readonly listed: boolean },
): string {
  const lines = [...new Set((additions ?? []).map(lineOf))];
  const isUsable = lines.length > 0 && lines.length <= MOST && lines.every((line) => line.length <= LONGEST);
  if (!isUsable) return ' Tell the user which permission is missing.';
  const place = listed ? 'below also_allow: in the policy file' : 'at the end of the policy file';
  const text = [...(listed ? [] : ['also_allow:']), ...lines.map((line) => `  ${line}`)].join('\n');
  return ` To allow exactly this, the user can add ${place}:\n\`${text}\``;
}

function lineOf({ tool, path, command, network, interpreter, host, env }: Addition): string {
  const keys = [
    `tool: ${tool}`,
    ...(path === undefined ? [] : [`path: ${quoted(path)}`]),
    ...(command === undefined ? [] : [`command: [${command.map(quoted).join(', ')}]`]),
    ...(network === undefined ? [] : [`network: ${network}`]),
    ...(interpreter === undefined ? [] : ['interpreter: true']),
    ...(host === undefined ? [] : [`host: ${quoted(host)}`]),
    ...(env === undefined ? [] : [`env: ${env}`]),
  ];
  return `- { ${keys.join(', ')} }`;
}

const PLAIN = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)-{0,2}[A-Za-z_./][\w./+-]*$/i;
/** YAML reads .inf and .nan as numbers. */
const NUMBER_LIKE = /^-*\.(?:\d|inf$|nan$)/i;

/** As a YAML string, whatever it looks like. JSON escapes all characters that YAML cannot print. */
function quoted(text: string): string {
  if (PLAIN.test(text) && !NUMBER_LIKE.test(text)) return text;
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const WILDCARDS = /[*?[\]{}\\]/g;

/** A path as a pattern that matches only it; undefined if no such pattern exists. */
export function pathPattern(path: string, workspace: string): string | undefined {
  const shown = isInside(path, workspace) ? path.slice(workspace.length + 1) || '.' : path;
  const isUnpaired = (open: string, close: string): boolean =>
    shown.split(open).length !== shown.split(close).length;
  if (/^\s|\s$|\$|^~/.test(shown) || isUnpaired('[', ']') || isUnpaired('{', '}')) return undefined;
  return shown.replace(WILDCARDS, (character) => `\\${character}`);
}
