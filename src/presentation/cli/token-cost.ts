import type { ToolDefinition } from '../../application/tool/tool-definition.js';
import { estimateTokens } from '../../domain/text/token-estimate.js';
import type { McpTool, Tool } from '../../domain/tool/tool.js';
import { toolFromDefinition } from '../docs/tool-from-definition.js';
import { type Output, table } from './output.js';

/** A tool that the policy could allow, and whether it is listed by default. */
export interface PricedTool {
  readonly tool: Tool;
  readonly definition: ToolDefinition;
  readonly listed: boolean;
  /** What the active policy adds to its description. */
  readonly terms?: string | undefined;
}

interface Row {
  readonly name: string;
  readonly set: string;
  readonly listed: boolean;
  readonly tokens: number;
  readonly full: number;
}

interface Total {
  readonly name: string;
  readonly tools: number;
  readonly tokens: number;
  readonly full: number;
}

const NOTE =
  'Tokens of name, description and input schema as sent to a model, estimated to within 10 % (o200k). ' +
  'Tools that the policy hides are left out.';

/** Prints what each tool and toolset costs a model's context, as listed here and with full descriptions. */
export function tokensCommand(
  priced: readonly PricedTool[],
  prefix: string,
  options: { readonly json?: boolean },
  output: Output,
): void {
  const rows = priced.map((one) => rowOf(one, prefix)).sort((a, b) => b.tokens - a.tokens);
  const sets = [...new Set(rows.map(({ set }) => set))].sort();
  const totals = [
    ...sets.map((set) => total(`set ${set}`, rows, (row) => row.set === set)),
    total('listed', rows, ({ listed }) => listed),
    total('all', rows, () => true),
  ];
  if (options.json === true) output.out(JSON.stringify({ tools: rows, totals }, undefined, 2));
  else output.out(tokenTable(rows, totals, output));
}

function tokenTable(rows: readonly Row[], totals: readonly Total[], output: Output): string {
  const lines = [
    ...rows.map((row) => [row.name, row.set, row.listed ? 'yes' : '-', String(row.tokens), String(row.full)]),
    ...totals.map(({ name, tools, tokens, full }) => [
      name,
      '',
      tools === 1 ? '1 tool' : `${tools} tools`,
      String(tokens),
      String(full),
    ]),
  ];
  return `${table(['TOOL', 'SET', 'LISTED', 'TOKENS', 'FULL'], lines, output)}\n\n${NOTE}`;
}

function rowOf({ tool, definition, listed, terms }: PricedTool, prefix: string): Row {
  const full = toolFromDefinition(definition, 'full');
  if (!full.success) throw new Error(full.error);
  return {
    name: tool.name,
    set: tool.toolset ?? '-',
    listed,
    tokens: toolTokens(withTerms(tool.toMcpFormat(prefix), terms)),
    full: toolTokens(withTerms(full.value.toMcpFormat(prefix), terms)),
  };
}

/** Clients pass these three fields to their model. */
function withTerms(tool: McpTool, terms: string | undefined): McpTool {
  return terms === undefined ? tool : { ...tool, description: `${tool.description} ${terms}` };
}

export function toolTokens({ name, description, inputSchema }: McpTool): number {
  return estimateTokens(JSON.stringify({ name, description, inputSchema }));
}

function total(name: string, rows: readonly Row[], counts: (row: Row) => boolean): Total {
  const counted = rows.filter(counts);
  const sum = (pick: (row: Row) => number) => counted.reduce((all, row) => all + pick(row), 0);
  return { name, tools: counted.length, tokens: sum(({ tokens }) => tokens), full: sum(({ full }) => full) };
}
