import { expect } from 'chai';
import { category, KnowledgeFixture } from '../../support/knowledge-fixture.js';

interface Dialect {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** By address: id, title, status. */
  readonly records: Readonly<Record<string, readonly [string, string, string]>>;
}

const DIALECTS: readonly Dialect[] = [
  {
    name: 'Nygard with links',
    files: {
      '0001-use-one-queue.md':
        '# 1. Use one queue\n\nDate: 2020-01-01\n\n## Status\n\nSuperseded by [2. Use two queues](0002-use-two-queues.md)\n\n## Decision\n\nOne.\n',
      '0002-use-two-queues.md':
        '# 2. Use two queues\n\nDate: 2021-01-01\n\n## Status\n\nAccepted\n\nSupersedes [1. Use one queue](0001-use-one-queue.md)\n\n## Decision\n\nTwo.\n',
      'README.md': '# Decisions\n\nWe write them down.\n',
    },
    records: {
      'architecture://adr/0001': ['ADR-0001', 'Use one queue', 'superseded'],
      'architecture://adr/0002': ['ADR-0002', 'Use two queues', 'accepted'],
    },
  },
  {
    name: 'MADR without a status',
    files: {
      '0005-use-dashes-in-filenames.md':
        '# Use Dashes in File Names\n\n## Considered Options\n\n* Dashes\n* Underscores\n\n## Decision Outcome\n\nChosen option: "Dashes", because they are read as spaces.\n',
      'adr-template.md': '# {title}\n\n## Decision Outcome\n\nChosen option: "{option}"\n',
    },
    records: { 'architecture://adr/0005': ['ADR-0005', 'Use Dashes in File Names', 'accepted'] },
  },
  {
    name: 'MADR with front matter',
    files: {
      '0006-names.md':
        '---\nstatus: "superseded by [ADR-0007](0007-numbers.md)"\ndate: 2024-01-01\n---\n\n# Use names\n\n## Decision Outcome\n\nChosen option: "Names"\n',
      '0007-numbers.md':
        '---\nstatus: accepted\n---\n\n# Use numbers\n\n## Decision Outcome\n\nChosen option: "Numbers"\n',
    },
    records: {
      'architecture://adr/0006': ['ADR-0006', 'Use names', 'superseded'],
      'architecture://adr/0007': ['ADR-0007', 'Use numbers', 'accepted'],
    },
  },
  {
    name: 'KEP folders',
    files: {
      'sig-node/2086-swap/README.md':
        '# KEP-2086: Swap on nodes\n\n## Summary\n\nSwap.\n\n## Proposal\n\nNodes may swap.\n',
      'sig-node/2086-swap/kep.yaml':
        'title: Swap on nodes\nkep-number: 2086\nstatus: implemented\nauthors:\n  - "@a"\n',
      'sig-node/2090-later/README.md': '# KEP-2090: Later\n\n## Proposal\n\nLater.\n',
      'sig-node/2090-later/kep.yaml': 'title: Later\nstatus: provisional\n',
      'sig-node/README.md': '# Node\n',
    },
    records: {
      'architecture://adr/sig-node/2086': ['ADR-2086', 'Swap on nodes', 'accepted'],
      'architecture://adr/sig-node/2090': ['ADR-2090', 'Later', 'proposed'],
    },
  },
  {
    name: 'Rust RFC',
    files: {
      '1574-more-conventions.md':
        '- Feature Name: `more_conventions`\n- Start Date: 2016-03-31\n- RFC PR: [example/rfcs#1574](https://example.org)\n\n# Summary\n[summary]: #summary\n\nMore.\n\n# Motivation\n\nWhy.\n',
    },
    records: { 'architecture://adr/1574': ['ADR-1574', 'more conventions', 'accepted'] },
  },
  {
    name: 'reverted, rejected and withdrawn',
    files: {
      '0008-puppet.md': '# 8. Puppet\n\n## Status\n\nReverted\n\n## Decision\n\nPuppet.\n',
      '0009-chef.md': '# 9. Chef\n\n**Status:** Rejected\n\nChef.\n',
      '0010-salt.md': '# 10. Salt\n\n* Status: withdrawn\n\nSalt.\n',
    },
    records: {
      'architecture://adr/0008': ['ADR-0008', 'Puppet', 'deprecated'],
      'architecture://adr/0009': ['ADR-0009', 'Chef', 'rejected'],
      'architecture://adr/0010': ['ADR-0010', 'Salt', 'rejected'],
    },
  },
  {
    name: 'names with commas, plus signs and spaces',
    files: {
      '0011 caches, keys + tags.md':
        '# 11. Caches, keys + tags\n\n## Status\n\nAccepted\n\n## Decision\n\nYes.\n',
    },
    records: { 'architecture://adr/0011': ['ADR-0011', 'Caches, keys + tags', 'accepted'] },
  },
];

describe('Decision records in the dialects that people write', () => {
  for (const { name, files, records } of DIALECTS) {
    it(`${name}: address, number, title and status, and no problem`, async () => {
      const fixture = new KnowledgeFixture([category('adr')]);
      try {
        for (const [path, text] of Object.entries(files)) fixture.put(`adr/${path}`, text);
        const { positions, problems, statusOf } = await fixture.decisions.understood();
        const found = [...positions].map(([uri, { record }]) => [
          uri,
          [record.id, record.title, statusOf(record)],
        ]);
        expect(Object.fromEntries(found)).to.deep.equal(records);
        expect(problems).to.deep.equal([]);
      } finally {
        await fixture.dispose();
      }
    });
  }

  it('two logs in one project, as categories and as folders, use the same numbers without a problem', async () => {
    const log = (title: string) => `# 1. ${title}\n\n## Status\n\nAccepted\n\n## Decision\n\n${title}.\n`;
    const fixture = new KnowledgeFixture([
      category('adr'),
      category('shop', { kind: 'adr' }),
      category('teams', { kind: 'adr' }),
    ]);
    try {
      fixture.put('adr/0001-broker.md', log('Broker'));
      fixture.put('shop/0001-basket.md', log('Basket'));
      fixture.put('teams/red/0001-wall.md', log('Wall'));
      fixture.put('teams/blue/0001-fence.md', log('Fence'));
      const { positions, problems } = await fixture.decisions.understood();
      expect(problems).to.deep.equal([]);
      expect([...positions.keys()].sort()).to.deep.equal([
        'architecture://adr/0001',
        'architecture://adr/shop/0001',
        'architecture://adr/teams/blue/0001',
        'architecture://adr/teams/red/0001',
      ]);
      expect(await fixture.alignment.lint()).to.deep.equal([]);
    } finally {
      await fixture.dispose();
    }
  });

  it('a number used twice within one log is a problem', async () => {
    const fixture = new KnowledgeFixture([category('adr')]);
    try {
      fixture.put('adr/0001-a.md', '# 1. A\n\n## Status\n\nAccepted\n');
      fixture.put('adr/0001-b.md', '# 1. B\n\n## Status\n\nAccepted\n');
      const { problems } = await fixture.decisions.understood();
      expect(problems.map(({ problem }) => problem).join()).to.match(/number of ADR-0001 is also that of/);
    } finally {
      await fixture.dispose();
    }
  });

  it('a changed kep.yaml changes the status of its README', async () => {
    const adr = category('adr');
    const fixture = new KnowledgeFixture([adr]);
    try {
      fixture.put('adr/2086-swap/README.md', '# KEP-2086: Swap\n\n## Proposal\n\nNodes may swap.\n');
      fixture.put('adr/2086-swap/kep.yaml', 'status: provisional\n');
      const status = async () => {
        const { positions, statusOf } = await fixture.decisions.understood();
        return [...positions.values()].map(({ record }) => statusOf(record));
      };
      expect(await status()).to.deep.equal(['proposed']);
      fixture.put('adr/2086-swap/kep.yaml', 'status: implemented, at last\n');
      await fixture.library.refresh(adr, '2086-swap/kep.yaml');
      expect(await status()).to.deep.equal(['accepted']);
    } finally {
      await fixture.dispose();
    }
  });

  it('create_document refuses a name that the patterns of the category would not show', async () => {
    const fixture = new KnowledgeFixture([category('runbooks', { patterns: ['*.md', 'how-to/**'] })]);
    const create = (name: string) =>
      fixture.write.handle(
        { action: 'create', category_dir: 'runbooks', name, content: '# X\n' },
        new AbortController().signal,
      );
    try {
      const refused = await create('notes.txt');
      expect(!refused.success && refused.error.message).to.match(/notes\.txt.*\*\.md, how-to\/\*\*/);
      expect((await create('notes')).success).to.equal(true);
      expect((await create('how-to/restart.txt')).success).to.equal(true);
    } finally {
      await fixture.dispose();
    }
  });
});
