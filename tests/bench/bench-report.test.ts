import { expect } from 'chai';
import { describe, it } from 'mocha';
import {
  formatFigure,
  judge,
  judgeAll,
  median,
  renderSuite,
  renderTable,
  renderVerdict,
} from '../../bench/bench-report.js';
import type { Goal, SuiteResult } from '../../bench/bench-suite.js';

const ratioGoal: Goal = { title: 'echo', metric: 'cpu', subject: 'castellan', against: 'floor', atMost: 1.5 };

const result: SuiteResult = {
  title: 'Echo',
  conditions: 'Default policy.',
  baseline: 'floor',
  metrics: [{ id: 'cpu', title: 'CPU', unit: 'µs' }],
  subjects: [
    { subject: 'castellan', samples: [{ cpu: 9 }, { cpu: 12 }, { cpu: 100 }] },
    { subject: 'floor', samples: [{ cpu: 10 }, { cpu: 8 }, { cpu: 11 }] },
    { subject: 'bare SDK', samples: [], failure: 'it ended\nwith exit code 0' },
  ],
  goals: [ratioGoal],
};

describe('The benchmark report', () => {
  it('takes the middle sample, or the mean of the two in the middle, as the median', () => {
    expect(median([5, 1, 100])).to.equal(5);
    expect(median([4, 1, 2, 100])).to.equal(3);
    expect(median([])).to.equal(undefined);
  });

  it('passes a ratio goal that is met exactly and fails one that is missed', () => {
    expect(judge({ ...ratioGoal, atMost: 1.2 }, result)).to.include({ kind: 'pass', figure: 1.2 });
    expect(judge({ ...ratioGoal, atMost: 1.19 }, result)).to.include({ kind: 'fail', figure: 1.2 });
  });

  it('compares a goal without a partner with the figure itself', () => {
    const goal: Goal = { title: 'decision', metric: 'cpu', subject: 'castellan', atMost: 20 };
    expect(judge(goal, result)).to.include({ kind: 'pass', figure: 12 });
    expect(judge({ ...goal, atMost: 11 }, result)).to.include({ kind: 'fail', figure: 12 });
  });

  it('compares a goal by difference, and within two bounds', () => {
    const goal: Goal = { title: 'added', metric: 'cpu', subject: 'castellan', moreThan: 'floor', atMost: 2 };
    expect(judge(goal, result)).to.include({ kind: 'pass', figure: 2 });
    expect(renderVerdict(judge({ ...goal, atMost: 1 }, result), result.metrics)).to.equal(
      '- FAIL added: 2 µs more than floor (goal: at most 1 µs more than floor)',
    );
    const control: Goal = { ...ratioGoal, atLeast: 0.9, atMost: 1.1 };
    expect(renderVerdict(judge(control, result), result.metrics)).to.equal(
      '- FAIL echo: 1.2 × floor (goal: at least 0.9 and at most 1.1 × floor)',
    );
  });

  it('never passes a goal whose subject or partner was not measured', () => {
    expect(judge({ ...ratioGoal, subject: 'nobody' }, result).kind).to.equal('not-measured');
    expect(judge({ ...ratioGoal, against: 'bare SDK' }, result).kind).to.equal('not-measured');
    expect(judge({ ...ratioGoal, metric: 'wall' }, result).kind).to.equal('not-measured');
  });

  it('says pass or fail, the figure and the goal in one line', () => {
    expect(judgeAll(result).map((verdict) => renderVerdict(verdict, result.metrics))).to.deep.equal([
      '- PASS echo: 1.2 × floor (goal: at most 1.5 × floor)',
    ]);
    const absolute: Goal = { title: 'decision', metric: 'cpu', subject: 'castellan', atMost: 5 };
    expect(renderVerdict(judge(absolute, result), result.metrics)).to.equal(
      '- FAIL decision: 12 µs (goal: at most 5 µs)',
    );
  });

  it('renders medians with their ratio to the baseline and names who stopped', () => {
    expect(renderSuite(result)).to.equal(
      [
        '## Echo',
        '',
        'Default policy.',
        '',
        '|  | CPU, µs | × floor |',
        '| --- | ---: | ---: |',
        '| castellan | 12 | 1.2 |',
        '| floor | 10 | 1 |',
        '| bare SDK | – | – |',
        '',
        '- bare SDK stopped: it ended with exit code 0',
        '',
        '- PASS echo: 1.2 × floor (goal: at most 1.5 × floor)',
      ].join('\n'),
    );
  });

  it('escapes a pipe in a cell, so that it cannot add a column', () => {
    expect(renderTable(['command'], [['ls | wc']])).to.contain('| ls \\| wc |');
  });

  it('writes three significant digits without an exponent', () => {
    expect([0.12345, 6.789, 45.678, 123_456.7].map(formatFigure)).to.deep.equal([
      '0.123',
      '6.79',
      '45.7',
      '123457',
    ]);
  });
});
