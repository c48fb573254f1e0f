/** The eight sections of a tool, in their order. */
export const SPECIFICATION_SECTIONS = [
  'Tool Purpose and Description',
  'Invocation Name',
  'Input Schema (Parameters)',
  'Output Schema (Return Value)',
  'Error Handling',
  'Idempotency',
  'Usage Examples (for MCP context)',
  'Security Considerations',
] as const;

export type SpecificationSection = (typeof SPECIFICATION_SECTIONS)[number];

export interface SpecifiedTool {
  readonly name: string;
  readonly version: string | undefined;
  /** Titles as they stand in the document, in their order. */
  readonly titles: readonly string[];
  text(section: SpecificationSection): string;
}

export type TableRow = Readonly<Record<string, string>>;

/** The tools of a document: a third-level heading each, with fourth-level sections. */
export function parseSpecification(markdown: string): readonly SpecifiedTool[] {
  const prose = markdown.replaceAll(/<!--[\s\S]*?-->/g, '');
  return prose
    .split(/^### /m)
    .slice(1)
    .map((block) => {
      const [head = '', ...sections] = block.split(/^#### /m);
      const parsed = sections.map((section) => {
        const [title = '', ...lines] = section.split('\n');
        return [title.trim(), lines.join('\n').trim()] as const;
      });
      const texts = new Map(parsed);
      return {
        name: head.split('\n', 1)[0]?.trim() ?? '',
        version: /^Version (\S+)$/m.exec(head)?.[1],
        titles: parsed.map(([title]) => title),
        text: (section) => texts.get(section) ?? '',
      };
    });
}

/** The rows of the first table, by the titles of its columns. */
export function tableRows(text: string): readonly TableRow[] {
  const lines = text.split('\n').filter((line) => line.startsWith('|'));
  const [titles = [], , ...rows] = lines.map(cells);
  return rows.map((row) => Object.fromEntries(titles.map((title, index) => [title, row[index] ?? ''])));
}

function cells(line: string): readonly string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** What stands in blocks marked as JSON; undefined for one that is none. */
export function jsonBlocks(text: string): readonly unknown[] {
  return [...text.matchAll(/^```json\n([\s\S]*?)\n```$/gm)].map(([, json = '']) => {
    try {
      return JSON.parse(json);
    } catch {
      return undefined;
    }
  });
}
