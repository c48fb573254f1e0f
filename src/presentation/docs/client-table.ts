import { CLIENT_FACTS } from '../../domain/client/client-facts.js';
import { MCP_CLIENTS, type McpClient } from '../../domain/client/mcp-client.js';

const BEGIN = '<!-- clients: written by `castellan docs` -->';
const END = '<!-- end of clients -->';

/** The page with the tables of today between its marks; undefined if it has none. */
export function withClientTables(page: string): string | undefined {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from === -1 || to < from) return undefined;
  return `${page.slice(0, from)}${BEGIN}\n\n${ownTools()}\n\n${hooks()}\n\n${page.slice(to)}`;
}

function ownTools(): string {
  const rows = MCP_CLIENTS.map((client) => {
    const { product, ownTools, exclusive, left, elicitation, tried, checked } = CLIENT_FACTS[client];
    const off = ownTools === undefined ? '' : (exclusive ?? 'no file of the client does it');
    return [
      `[${product}](../reference/clients/${client}.md)`,
      ownTools ?? 'none',
      left === undefined ? off : `${off}; left: ${left}`,
      elicitation,
      tried ?? (checked === undefined ? 'by its documentation' : `by its documentation; ${checked}`),
    ];
  });
  return table(['client', 'own tools', '`--exclusive` writes', 'asks for consent', 'tried'], rows);
}

function hooks(): string {
  const rows = MCP_CLIENTS.flatMap((client: McpClient) => {
    const { product, hooks, confirm } = CLIENT_FACTS[client];
    if (hooks === undefined) return [];
    return [[product, hooks.asks, hooks.failing, hooks.missed, confirm ?? 'nothing']];
  });
  return table(
    [
      'client with hooks',
      'where a person has to agree',
      'the hook killed or too slow',
      'not asked about',
      'to confirm there',
    ],
    rows,
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
