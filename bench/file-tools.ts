import type { StdioClient } from './stdio-client.js';

export interface ToolCall {
  readonly name: string;
  readonly arguments: object;
}

/** A call that answers everything at once, and how many entries its answer has. */
export interface WholeAnswer {
  readonly call: ToolCall;
  count(answer: unknown): number;
}

/** How a server is asked for what the file benchmarks measure; it cannot do what is absent. */
export interface FileTools {
  read(path: string): ToolCall;
  write?(path: string, content: string): ToolCall;
  list?(folder: string): WholeAnswer;
  glob?(folder: string, pattern: string): WholeAnswer;
}

export const plainReads: FileTools = { read: (path) => ({ name: 'read_file', arguments: { path } }) };

/** Castellan's, and the floor's. Castellan lists and searches page by page, which is measured as such. */
export const plainFiles: FileTools = {
  ...plainReads,
  write: (path, content) => ({ name: 'write_file', arguments: { path, content } }),
};

export const officialFiles: FileTools = {
  read: (path) => ({ name: 'read_text_file', arguments: { path } }),
  write: (path, content) => ({ name: 'write_file', arguments: { path, content } }),
  list: (path) => ({
    call: { name: 'directory_tree', arguments: { path } },
    count: (answer) => textOf(answer).split('"name":').length - 1,
  }),
  glob: (path, pattern) => ({
    call: { name: 'search_files', arguments: { path, pattern: `**/${pattern}` } },
    count: (answer) => textOf(answer).split('\n').length,
  }),
};

export async function callTool(client: StdioClient, call: ToolCall): Promise<unknown> {
  const answer = await client.request('tools/call', call);
  const { isError } = answer as { readonly isError?: boolean };
  if (isError === true) throw new Error(`${call.name}: ${textOf(answer).slice(0, 200)}`);
  return answer;
}

function textOf(answer: unknown): string {
  const { content } = answer as { readonly content?: readonly { readonly text?: string }[] };
  return content?.[0]?.text ?? '';
}
