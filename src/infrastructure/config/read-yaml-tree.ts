import type { Alias, Document, Node, Pair, Scalar, YAMLError } from 'yaml';
import type { FileProblem } from '../../domain/file-problem.js';
import { readPlainYaml } from './plain-yaml.js';
import { nestsTooDeeply } from './yaml-nesting.js';
import {
  MAX_DEPTH,
  MAX_NODES,
  MAX_POLICY_BYTES,
  type TreePosition,
  type YamlEntry,
  type YamlTree,
} from './yaml-tree.js';

const MAX_ALIASES = 50;
/** Nobody reads more, and a file of commas has one at each. */
const MAX_REPORTED = 50;
const START: TreePosition = { line: 1, column: 1 };

type Yaml = typeof import('yaml');

/**
 * The tree, or undefined with at least one problem reported. A key that appears twice and the like leave a tree:
 * whoever reads on finds the other problems of the file too.
 */
export async function readYamlTree(
  file: string,
  bytes: Uint8Array,
  problems: FileProblem[],
): Promise<YamlTree | undefined> {
  const report = reporter(file, problems);
  if (bytes.length > MAX_POLICY_BYTES) {
    report(`The file is larger than ${MAX_POLICY_BYTES / 1024} KiB.`, 'Split it with extends.');
    return undefined;
  }
  const text = decodeUtf8(bytes, report);
  if (text === undefined) return undefined;
  return readPlainYaml(text) ?? readAnyYaml(file, text, problems);
}

type Report = (message: string, hint?: string, at?: TreePosition) => void;

function reporter(file: string, problems: FileProblem[]): Report {
  return (message, hint, at = START) => {
    problems.push({ file, ...at, message, ...(hint !== undefined && { hint }) });
  };
}

/** The whole language, and what is wrong with a file. */
export async function readAnyYaml(
  file: string,
  text: string,
  problems: FileProblem[],
): Promise<YamlTree | undefined> {
  const report = reporter(file, problems);
  if (nestsTooDeeply(text)) {
    report('The file is nested too deeply.', 'Write it flatter.');
    return undefined;
  }
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: false,
    prettyErrors: false,
    resolveKnownTags: false,
    // Quieter, and a second document would pass unnoticed.
    logLevel: 'error',
  });
  const position = (offset: number): TreePosition => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  for (const error of [...document.errors, ...document.warnings].slice(0, MAX_REPORTED)) {
    report(yamlProblem(error), yamlHint(error.code), position(error.pos[0]));
  }
  if (document.errors.length + document.warnings.length > 0) return undefined;
  if (document.contents === null) {
    report('The file is empty.', 'Write at least `tools:` with one entry, or remove the file.');
    return undefined;
  }
  const builder = new TreeBuilder(yaml, document, position, report);
  const tree = builder.build(document.contents, 0);
  return builder.complete ? tree : undefined;
}

/** In the words of the parser, except where they are for whoever calls it. */
function yamlProblem({ code, message }: YAMLError): string {
  if (code === 'MULTIPLE_DOCS') return 'The file holds more than one document.';
  return `Not valid YAML: ${message.replace(/\.?\s*$/, '.')}`;
}

function yamlHint(code: string): string | undefined {
  if (code === 'TAG_RESOLVE_FAILED') return 'Custom tags are refused; write a plain value.';
  if (code === 'MULTIPLE_DOCS') return 'Remove the `---` between them.';
  if (code === 'TAB_AS_INDENT') return 'Put spaces in place of the tab.';
  return undefined;
}

function decodeUtf8(bytes: Uint8Array, report: Report): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const good = new TextDecoder('utf-8').decode(bytes).split('\uFFFD')[0] ?? '';
    const line = good.split('\n').length;
    const column = good.length - (good.lastIndexOf('\n') + 1) + 1;
    report('The file is not UTF-8.', 'Save it as UTF-8.', { line, column });
    return undefined;
  }
}

class TreeBuilder {
  private nodes = 0;
  private aliases = 0;
  private exhausted = false;
  private dangling = false;

  constructor(
    private readonly yaml: Yaml,
    private readonly document: Document.Parsed,
    private readonly position: (offset: number) => TreePosition,
    private readonly report: Report,
  ) {}

  /** False: something was left out, and what would be said about the rest would be wrong. */
  get complete(): boolean {
    return !this.exhausted && !this.dangling && this.aliases <= MAX_ALIASES;
  }

  build(node: Node, depth: number): YamlTree {
    const at = this.position(node.range?.[0] ?? 0);
    const nothing: YamlTree = { kind: 'scalar', value: null, at };
    this.nodes += 1;
    if (this.nodes > MAX_NODES || depth > MAX_DEPTH) {
      if (!this.exhausted)
        this.report('The file grows too large when its aliases are expanded.', undefined, at);
      this.exhausted = true;
    }
    if (this.exhausted) return nothing;
    if (this.yaml.isAlias(node)) return this.buildAlias(node, depth, at, nothing);
    if (node.tag?.startsWith('!') === true) {
      this.report(`The tag ${node.tag} is refused.`, 'Custom tags are refused; write a plain value.', at);
    }
    if (this.yaml.isMap(node)) {
      return { kind: 'map', at, entries: this.buildEntries(node.items, depth) };
    }
    if (this.yaml.isSeq(node)) {
      return { kind: 'list', at, items: node.items.map((item) => this.buildItem(item, depth, at)) };
    }
    return this.yaml.isScalar(node) ? this.buildScalar(node, at) : nothing;
  }

  private buildAlias(node: Alias, depth: number, at: TreePosition, nothing: YamlTree): YamlTree {
    this.aliases += 1;
    if (this.aliases === MAX_ALIASES + 1) {
      this.report(`More than ${MAX_ALIASES} aliases.`, 'Write the values out, or use extends.', at);
    }
    if (this.aliases > MAX_ALIASES) return nothing;
    const target = node.resolve(this.document);
    if (target !== undefined) return this.build(target, depth + 1);
    const hint = `A text that begins with * needs quotes: "*${node.source}".`;
    this.report(`*${node.source} is an alias of YAML, and nothing is called &${node.source}.`, hint, at);
    this.dangling = true;
    return nothing;
  }

  private buildItem(item: unknown, depth: number, at: TreePosition): YamlTree {
    return this.yaml.isNode(item) ? this.build(item, depth + 1) : { kind: 'scalar', value: null, at };
  }

  private buildScalar(node: Scalar, at: TreePosition): YamlTree {
    const { value } = node;
    if (
      value === null ||
      typeof value === 'string' ||
      typeof value === 'boolean' ||
      typeof value === 'number'
    ) {
      return { kind: 'scalar', value, at };
    }
    return { kind: 'scalar', value: String(value), at };
  }

  private buildEntries(pairs: readonly Pair[], depth: number): readonly YamlEntry[] {
    const seen = new Map<string, TreePosition>();
    const entries: YamlEntry[] = [];
    for (const pair of pairs) {
      const at = this.position(this.yaml.isNode(pair.key) ? (pair.key.range?.[0] ?? 0) : 0);
      const raw = this.yaml.isScalar(pair.key) ? pair.key.value : undefined;
      const key = typeof raw === 'number' || typeof raw === 'boolean' ? String(raw) : raw;
      if (typeof key !== 'string') {
        this.report('A key must be a string.', undefined, at);
        continue;
      }
      const first = seen.get(key);
      if (first !== undefined) {
        const hint = `It is already on line ${first.line}; merge the two.`;
        this.report(`The key ${JSON.stringify(key)} appears twice.`, hint, at);
        continue;
      }
      seen.set(key, at);
      entries.push({ key, at, value: this.buildItem(pair.value, depth, at) });
    }
    return entries;
  }
}
