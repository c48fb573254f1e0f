import type { ToolDefinition } from '../../application/tool/tool-definition.js';
import type { DescriptionStyle } from '../docs/tool-description.js';
import { toolFromDefinition } from '../docs/tool-from-definition.js';
import { columns } from './output.js';

/** English prose and JSON average four characters a token with today's models; good to a tenth. */
const CHARACTERS_A_TOKEN = 4;

/** What each tool costs a model's context in each mode, and all of them together. */
export function tokenTable(definitions: readonly ToolDefinition[]): string {
  const rows = definitions.map((definition) => ({
    name: definition.name,
    full: tokensOf(definition, 'full'),
    concise: tokensOf(definition, 'concise'),
  }));
  rows.sort((a, b) => b.full - a.full || (a.name < b.name ? -1 : 1));
  const total = {
    name: 'all',
    full: rows.reduce((sum, row) => sum + row.full, 0),
    concise: rows.reduce((sum, row) => sum + row.concise, 0),
  };
  const lines = [...rows, total].map(({ name, full, concise }) => [name, String(full), String(concise)]);
  return columns([['TOOL', 'FULL', 'CONCISE'], ...lines]);
}

function tokensOf(definition: ToolDefinition, style: DescriptionStyle): number {
  const tool = toolFromDefinition(definition, style);
  if (!tool.success) throw new Error(tool.error);
  return Math.ceil(JSON.stringify(tool.value.toMcpFormat()).length / CHARACTERS_A_TOKEN);
}
