import { positionOf } from '../../src/domain/knowledge/adr/adr-position.js';
import { parseAdr } from '../../src/domain/knowledge/adr/adr-record.js';
import { compare } from '../../src/domain/knowledge/adr/alignment.js';
import { readMarkdown } from '../../src/infrastructure/knowledge/markdown-reader.js';

export async function positionIn(text: string, path = '0001-x.md') {
  const { content } = await readMarkdown(path, text);
  return positionOf(parseAdr({ ...content, path, uri: `architecture://adr/${path}` }));
}

/** What the only record there is says to a proposal. */
export async function judged(text: string, proposal: string) {
  return compare(proposal, await positionIn(text));
}

export const acceptedRecord = (decision: string, title = '1. Events') =>
  `# ${title}\n\n## Status\n\nAccepted\n\n## Decision\n\n${decision}\n`;
