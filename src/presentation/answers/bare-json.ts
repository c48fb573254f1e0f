import type { ClientInfo } from '../../domain/session/session.js';
import type { ContentBlock } from '../../domain/tool/tool-result.js';
import { serverBlocks } from './server-notes.js';

/** What JSON that is no object begins with. */
const NO_OBJECT = /^\s*[[\d"tfn-]/;

/**
 * Gemini CLI makes the first text block `structuredContent` if it is JSON, and then refuses the whole answer if that is
 * no object: a file or an output such as `[1, 2]` or `42`. A block before it keeps it text. Other clients get the
 * content as it is.
 */
export function withLeadIn(
  client: ClientInfo | undefined,
  content: readonly ContentBlock[],
): readonly ContentBlock[] {
  const [first] = content;
  if (client?.name.startsWith('gemini-cli') !== true || first?.type !== 'text' || !isBareJson(first.text))
    return content;
  return [...serverBlocks(undefined, ['The text as it is:']), ...content];
}

function isBareJson(text: string): boolean {
  if (!NO_OBJECT.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
