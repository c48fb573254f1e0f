import { expect } from 'chai';
import {
  allOf,
  type DescribeRequests,
  deletes,
  reads,
  readsAllowedOf,
  runsCommand,
  writes,
} from '../../../src/application/permission/argument-requests.js';

const read = (path: string, argument = 'path') => ({ kind: 'read-path', path, argument });
const write = (path: string, argument = 'path') => ({ kind: 'write-path', path, argument });

describe('Requests of arguments', () => {
  const cases: readonly (readonly [
    string,
    DescribeRequests,
    Readonly<Record<string, unknown>>,
    unknown[],
  ])[] = [
    ['a path that is read', reads('path'), { path: 'a' }, [read('a')]],
    ['a path that is absent', reads('path'), {}, []],
    ['a path that is absent, with a default', reads('path', '.'), {}, [read('.')]],
    ['a path that is no string', reads('path'), { path: 7 }, []],
    ['an argument that every object has', reads('constructor'), {}, []],
    [
      'several, each for itself',
      readsAllowedOf('paths'),
      { paths: ['a', 1, 'b'] },
      [
        { ...read('a', 'paths'), optional: true },
        { ...read('b', 'paths'), optional: true },
      ],
    ],
    ['a deletion', deletes('path'), { path: 'a' }, [{ ...write('a'), deletes: true }]],
    [
      'source and destination',
      allOf(reads('from'), writes('to')),
      { from: 'a', to: 'b' },
      [read('a', 'from'), write('b', 'to')],
    ],
    [
      'a command',
      runsCommand,
      { command: 'ls', cwd: 'src', env: { A: 1 } },
      [{ kind: 'run-command', command: 'ls', cwd: 'src', env: { A: '1' } }],
    ],
    [
      'a command with its words apart',
      runsCommand,
      { command: 'ls', args: ['-l'] },
      [{ kind: 'run-command', command: 'ls', args: ['-l'], env: {} }],
    ],
    ['no command', runsCommand, { command: null }, []],
  ];
  for (const [title, describe, args, expected] of cases) {
    it(title, () => expect(describe(args)).to.deep.equal(expected));
  }
});
