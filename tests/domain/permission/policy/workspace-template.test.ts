import { expect } from 'chai';
import { describe, it } from 'mocha';
import {
  fillWorkspaceTemplate,
  workspaceTemplateProblem,
} from '../../../../src/domain/permission/policy/workspace-template.js';

const of = (team: unknown) =>
  fillWorkspaceTemplate('teams/${claim.team}', { id: 'a', transport: 'http', claims: { team } });

describe('The workspace of a principal', () => {
  it('is named after a claim', () => {
    expect(of('red')).to.include({ success: true, value: 'teams/red' });
    expect(of('team-1.eu')).to.include({ success: true, value: 'teams/team-1.eu' });
    const byId = fillWorkspaceTemplate('/srv/${id}', { id: 'alice', transport: 'http' });
    expect(byId).to.include({ value: '/srv/alice' });
  });

  for (const team of [
    '..',
    '.',
    '',
    '/',
    'a/b',
    '../red',
    'a/../b',
    '.ssh',
    'a..b',
    'a\0b',
    'ä',
    ' a',
    '-x',
    'x'.repeat(65),
    7,
    null,
    ['red'],
    { a: 1 },
    undefined,
  ])
    it(`is never a path: ${JSON.stringify(team)} is refused`, () => {
      expect(of(team).success).to.equal(false);
    });

  it('is not taken from what every object has', () => {
    const caller = { id: 'a', transport: 'http', claims: {} } as const;
    expect(fillWorkspaceTemplate('${claim.constructor}', caller).success).to.equal(false);
  });

  it('has placeholders that are known, and does not lead upwards', () => {
    for (const good of ['teams/${claim.team}', './a', '/srv/${id}', '${claim.https://x/y}'])
      expect(workspaceTemplateProblem(good), good).to.equal(undefined);
    for (const bad of ['${team}', '${claim.}', '../x', 'a/../${id}', 'a\0'])
      expect(workspaceTemplateProblem(bad), bad).to.be.a('string');
  });
});
