import type { ToolDefinition } from '../../application/tool/tool-definition.js';
import type { McpTool, Tool } from '../../domain/tool/tool.js';
import { toolFromDefinition } from '../docs/tool-from-definition.js';
import { columns } from './output.js';
import { estimateTokens } from './token-estimate.js';

/** A tool that the policy could allow, and whether a client is shown it without asking. */
export interface PricedTool {
  readonly tool: Tool;
  readonly definition: ToolDefinition;
  readonly listed: boolean;
}

interface Row {
  readonly name: string;
  readonly set: string;
  readonly listed: boolean;
  readonly tokens: number;
  readonly full: number;
}

const NOTE =
  'Tokens of name, description and input schema as a model is given them, estimated to a tenth (o200k). ' +
  'Tools that the policy hides are left out.';

/** What each tool and each set costs a model's context, as it is listed here and with full descriptions. */
export function tokenTable(priced: readonly PricedTool[], prefix = ''): string {
  const rows = priced.map((one) => rowOf(one, prefix)).sort((a, b) => b.tokens - a.tokens);
  const sets = [...new Set(rows.map(({ set }) => set))].sort();
  const totals = sets.map((set) =>
    total(
      `set ${set}`,
      rows.filter((row) => row.set === set),
    ),
  );
  const lines = [
    ...rows.map((row) => [row.name, row.set, row.listed ? 'yes' : '-', String(row.tokens), String(row.full)]),
    ...totals,
    total(
      'listed',
      rows.filter(({ listed }) => listed),
    ),
    total('all', rows),
  ];
  return `${columns([['TOOL', 'SET', 'LISTED', 'TOKENS', 'FULL'], ...lines])}\n\n${NOTE}`;
}

function rowOf({ tool, definition, listed }: PricedTool, prefix: string): Row {
  const full = toolFromDefinition(definition, 'full');
  if (!full.success) throw new Error(full.error);
  return {
    name: tool.name,
    set: tool.toolset ?? '-',
    listed,
    tokens: toolTokens(tool.toMcpFormat(prefix)),
    full: toolTokens(full.value.toMcpFormat(prefix)),
  };
}

/** Clients hand these three to their model. */
export function toolTokens({ name, description, inputSchema }: McpTool): number {
  return estimateTokens(JSON.stringify({ name, description, inputSchema }));
}

function total(name: string, rows: readonly Row[]): readonly string[] {
  const sum = (pick: (row: Row) => number) => String(rows.reduce((all, row) => all + pick(row), 0));
  return [name, '', `${rows.length} tools`, sum(({ tokens }) => tokens), sum(({ full }) => full)];
}
