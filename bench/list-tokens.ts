import { getEncoding } from 'js-tiktoken';

const o200k = getEncoding('o200k_base');

export function tokensOf(text: string): number {
  return o200k.encode(text).length;
}

interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
}

/** What a model is given of each tool before it has called any. */
export function listTokens(tools: readonly ListedTool[]): number {
  return tools.reduce(
    (sum, { name, description, inputSchema }) =>
      sum + tokensOf(JSON.stringify({ name, description, inputSchema })),
    0,
  );
}
