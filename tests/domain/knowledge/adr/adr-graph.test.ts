import { expect } from 'chai';
import { AdrGraph } from '../../../../src/domain/knowledge/adr/adr-graph.js';
import { parseAdr } from '../../../../src/domain/knowledge/adr/adr-record.js';
import { readMarkdown } from '../../../../src/infrastructure/knowledge/markdown-reader.js';

async function graphOf(files: Readonly<Record<string, string>>): Promise<AdrGraph> {
  const records = await Promise.all(
    Object.entries(files).map(async ([path, text]) => {
      const { content } = await readMarkdown(path, text);
      return parseAdr({ ...content, path, uri: path });
    }),
  );
  return new AdrGraph(records);
}

const nygard = (title: string, status: string) =>
  `# ${title}\n\n## Status\n\n${status}\n\n## Decision\n\nWe do it.\n`;

function find(graph: AdrGraph, path: string) {
  const record = graph.records.find(({ source }) => source.path === path);
  if (record === undefined) throw new Error(`There is no ${path}.`);
  return record;
}

const heads = (graph: AdrGraph, path: string) =>
  graph.headsOf(find(graph, path)).map(({ source }) => source.path);
const problems = (graph: AdrGraph) => graph.problems.map(({ problem }) => problem).join('\n');

describe('The graph of decision records', () => {
  it('resolves a chain to its living head, whichever side tells of it', async () => {
    const graph = await graphOf({
      '0001-a.md': nygard('1. A', 'Superceded by [2. B](0002-b.md)'),
      '0002-b.md': nygard('2. B', 'Accepted'),
      '0003-c.md': nygard('3. C', 'Accepted\n\nSupercedes [2. B](0002-b.md)'),
      '0004-d.md': '---\nstatus: accepted\nsupersedes: [ADR-0003]\n---\n# D\n',
    });
    expect(heads(graph, '0001-a.md')).to.deep.equal(['0004-d.md']);
    expect(graph.statusOf(find(graph, '0002-b.md'))).to.equal('superseded');
    expect(problems(graph)).to.match(/ADR-0002 says accepted, though ADR-0003 supersedes it/);
  });

  it('reads where each dialect keeps its status and its links', async () => {
    const graph = await graphOf({
      'madr.md': '---\nstatus: "superseded by [ADR-0009](0009-x.md)"\n---\n# Madr\n',
      '0009-x.md': '# X\n\n* Status: accepted\n* Deciders: all\n',
      '20200102-log.md':
        '# Log\n\n- Status: superseded by [20210304-new](20210304-new.md)\n- Date: 2020-01-02\n',
      '20210304-new.md': '# New\n\n- Status: accepted\n',
      'kep.md': '---\ntitle: Kep\nstatus: replaced\nsuperseded-by:\n  - "20210304-new.md"\n---\n# Kep\n',
      'table.md': '# Table\n\n| Status | Accepted |\n|---|---|\n',
      'bold.md': '# Bold\n\n**Status:** Deprecated\n',
      'setext.md': 'Setext\n======\n\nStatus\n------\n\nRejected\n',
      'de.md': '# Datenbank\n\n## Status\n\nErsetzt durch [ADR-0009](0009-x.md)\n',
      'ja.md': '# データベース\n\n## ステータス\n\n承認済み\n',
    });
    const status = (path: string) => graph.statusOf(find(graph, path));
    expect(heads(graph, 'madr.md')).to.deep.equal(['0009-x.md']);
    expect(heads(graph, '20200102-log.md')).to.deep.equal(['20210304-new.md']);
    expect(heads(graph, 'kep.md')).to.deep.equal(['20210304-new.md']);
    expect(heads(graph, 'de.md')).to.deep.equal(['0009-x.md']);
    expect([status('table.md'), status('bold.md'), status('setext.md'), status('ja.md')]).to.deep.equal([
      'accepted',
      'deprecated',
      'rejected',
      'accepted',
    ]);
  });

  it('finds no head in a circle and reports it', async () => {
    const graph = await graphOf({
      '0001-a.md': nygard('1. A', 'Superseded by ADR-0002'),
      '0002-b.md': nygard('2. B', 'Superseded by ADR-0001'),
    });
    expect(heads(graph, '0001-a.md')).to.deep.equal([]);
    expect(problems(graph)).to.match(/ADR-0001 is superseded in a circle/);
  });

  it('follows a split to both heads, and leaves alone what is only proposed to replace', async () => {
    const graph = await graphOf({
      '0001-a.md': nygard('1. A', 'Superseded by [2](0002-b.md) and [3](0003-c.md)'),
      '0002-b.md': nygard('2. B', 'Accepted'),
      '0003-c.md': nygard('3. C', 'Accepted'),
      '0004-d.md': nygard('4. D', 'Proposed\n\nSupersedes [3](0003-c.md)'),
    });
    expect([...heads(graph, '0001-a.md')].sort()).to.deep.equal(['0002-b.md', '0003-c.md']);
    expect(graph.statusOf(find(graph, '0003-c.md'))).to.equal('accepted');
  });

  it('reports dangling links, duplicate numbers, missing and strange statuses', async () => {
    const graph = await graphOf({
      '0001-a.md': nygard('1. A', 'Superseded by [9. Gone](0009-gone.md)'),
      '0001-b.md': nygard('1. B', 'Blue'),
      '0002-c.md': '# C\n\nNo status at all.\n',
      '0003-d.md': nygard('3. D', 'Superseded'),
      '0004-e.md': nygard('4. E', 'Accepted\n\nAmends ADR-0001'),
    });
    const told = problems(graph);
    expect(told).to.match(/"0009-gone\.md", and there is no such record/);
    expect(told).to.match(/number of ADR-0001 is also that of 0001-b\.md/);
    expect(told).to.match(/status "Blue" of ADR-0001 is not a known one/);
    expect(told).to.match(/ADR-0002 has no status/);
    expect(told).to.match(/ADR-0003 is superseded and does not say by what/);
    expect(told).to.match(/may be 0001-a\.md or 0001-b\.md/);
  });

  it('keeps what was only partly superseded in force', async () => {
    const graph = await graphOf({
      '0001-a.md': nygard('1. A', 'Accepted\n\nPartially superseded by ADR-0002'),
      '0002-b.md': nygard('2. B', 'Accepted'),
    });
    expect(graph.statusOf(find(graph, '0001-a.md'))).to.equal('accepted');
    expect(graph.amendmentsOf(find(graph, '0001-a.md')).map(({ id }) => id)).to.deep.equal(['ADR-0002']);
  });
});
