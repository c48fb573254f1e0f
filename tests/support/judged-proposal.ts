import { positionOf } from '../../src/domain/knowledge/adr/adr-position.js';
import { parseAdr } from '../../src/domain/knowledge/adr/adr-record.js';
import { judge } from '../../src/domain/knowledge/adr/alignment.js';
import { readProposal } from '../../src/domain/knowledge/adr/proposal.js';
import { WordWeights } from '../../src/domain/knowledge/adr/word-weights.js';
import { readMarkdown } from '../../src/infrastructure/knowledge/markdown-reader.js';

export async function positionIn(text: string, path = '0001-x.md') {
  const { content } = await readMarkdown(path, text);
  return positionOf(parseAdr({ ...content, path, uri: `architecture://adr/${path}` }));
}

/** What the only record there is says to a proposal. */
export async function judged(text: string, proposal: string) {
  const record = await positionIn(text);
  return judge(readProposal(proposal), record, new WordWeights([record.topic]));
}

export const acceptedRecord = (decision: string, title = '1. Events') =>
  `# ${title}\n\n## Status\n\nAccepted\n\n## Decision\n\n${decision}\n`;
