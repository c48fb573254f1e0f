import { expect } from 'chai';
import { describe, it } from 'mocha';
import { compilePattern } from '../../../../src/domain/permission/path/path-pattern.js';
import {
  type PrincipalRule,
  type RolePolicy,
  type RoleRules,
  rolesMayUse,
  rolesOf,
  workspaceTemplateOf,
} from '../../../../src/domain/permission/policy/policy-roles.js';
import { type Caller, LOCAL_EMBEDDED, LOCAL_STDIO } from '../../../../src/domain/session/caller.js';
import { normaliseToolName } from '../../../../src/domain/tool/tool-name.js';

const HTTP: Caller = { id: 'h', transport: 'http' };
const WITH_KEY: Caller = { ...HTTP, apiKeyHash: 'sha256:1' };
const WITH_TOKEN: Caller = {
  ...HTTP,
  issuer: 'https://issuer',
  claims: { team: 'core', groups: ['admin', 'dev'] },
};

function policyOf(principals?: readonly PrincipalRule[]): RolePolicy {
  return { roles: new Map(), ...(principals && { principals }) };
}

describe('rolesOf', () => {
  it('gives the default role to whoever proved who they are, where no principal is named', () => {
    for (const caller of [LOCAL_STDIO, LOCAL_EMBEDDED, WITH_KEY, WITH_TOKEN])
      expect(rolesOf(policyOf(), caller), caller.id).to.deep.equal(['default']);
    expect(rolesOf(policyOf(), HTTP)).to.deep.equal([]);
  });

  /** What a rule asks for, and who has it. */
  const TABLE: readonly (readonly [Omit<PrincipalRule, 'roles'>, readonly Caller[]])[] = [
    [{}, [LOCAL_STDIO, LOCAL_EMBEDDED, HTTP, WITH_KEY, WITH_TOKEN]],
    [{ transport: ['stdio'] }, [LOCAL_STDIO]],
    [{ transport: ['stdio', 'embedded'] }, [LOCAL_STDIO, LOCAL_EMBEDDED]],
    [{ issuer: 'https://issuer' }, [WITH_TOKEN]],
    [{ issuer: 'https://other' }, []],
    [{ apiKeyHash: 'sha256:1' }, [WITH_KEY]],
    [{ apiKeyHash: 'sha256:2' }, []],
    [{ claim: { team: 'core' } }, [WITH_TOKEN]],
    [{ claim: { groups: 'dev' } }, [WITH_TOKEN]],
    [{ claim: { groups: 'owner' } }, []],
    [{ claim: { team: 'core', groups: 'owner' } }, []],
    [{ claim: { toString: 'x' } }, []],
    [{ transport: ['http'], apiKeyHash: 'sha256:1', issuer: 'https://issuer' }, []],
  ];
  for (const [rule, holders] of TABLE) {
    it(`matches ${JSON.stringify(rule)} against everything that it names`, () => {
      const policy = policyOf([{ ...rule, roles: ['r'] }]);
      for (const caller of [LOCAL_STDIO, LOCAL_EMBEDDED, HTTP, WITH_KEY, WITH_TOKEN])
        expect(rolesOf(policy, caller)).to.deep.equal(holders.includes(caller) ? ['r'] : []);
    });
  }

  it('collects the roles of every rule that matches, each once', () => {
    const policy = policyOf([
      { roles: ['a', 'b'] },
      { transport: ['http'], roles: ['x'] },
      { roles: ['b', 'c'] },
    ]);
    expect(rolesOf(policy, LOCAL_STDIO)).to.deep.equal(['a', 'b', 'c']);
  });
});

describe('workspaceTemplateOf', () => {
  it('is the folder of the first rule that matches and has one', () => {
    const policy = policyOf([
      { transport: ['http'], roles: [], workspace: '/http' },
      { roles: [] },
      { roles: [], workspace: '/all' },
      { roles: [], workspace: '/later' },
    ]);
    expect(workspaceTemplateOf(policy, LOCAL_STDIO)).to.equal('/all');
    expect(workspaceTemplateOf(policy, HTTP)).to.equal('/http');
    expect(workspaceTemplateOf(policyOf(), HTTP)).to.equal(undefined);
  });
});

function role(tools: string, denied = '', inherits: readonly string[] = []): RoleRules {
  const list = (text: string) => {
    const names = text.split(' ').filter(Boolean);
    return {
      names: new Set(names.filter((name) => !name.includes('*')).map(normaliseToolName)),
      globs: names
        .filter((name) => name.includes('*'))
        .flatMap((name) => {
          const glob = compilePattern(name);
          return glob.success ? [glob.value] : [];
        }),
    };
  };
  return { inherits, tools: list(tools), deniedTools: list(denied), at: { file: 'p', line: 1, column: 1 } };
}

describe('rolesMayUse', () => {
  const policy: RolePolicy = {
    roles: new Map([
      ['reader', role('read_file list_*')],
      ['writer', role('write_file', '', ['reader'])],
      ['careful', role('*', 'delete_path')],
      ['runner', role('execute_command')],
      ['watcher', role('execute_command', 'process_input')],
      ['ring', role('echo', '', ['ring', 'reader'])],
    ]),
  };

  const TABLE: readonly (readonly [roles: string, tool: string, may: boolean])[] = [
    ['reader', 'read_file', true],
    ['reader', 'read-file', true],
    ['reader', 'list_directory', true],
    ['reader', 'list-directory', true],
    ['reader', 'write_file', false],
    ['writer', 'read_file', true],
    ['writer', 'write_file', true],
    ['careful', 'echo', true],
    ['careful', 'delete_path', false],
    ['writer careful', 'delete_path', false],
    ['runner', 'process_output', true],
    ['runner', 'process-input', true],
    ['watcher', 'process_input', false],
    ['watcher', 'process_output', true],
    ['ring', 'read_file', true],
    ['ring', 'write_file', false],
    ['unknown', 'read_file', false],
    ['default', 'write_file', true],
    ['default careful', 'delete_path', false],
    ['', 'read_file', false],
  ];
  for (const [roles, tool, may] of TABLE) {
    it(`${roles || 'nobody'} ${may ? 'may use' : 'may not use'} ${tool}`, () =>
      expect(rolesMayUse(policy, roles.split(' ').filter(Boolean), tool)).to.equal(may));
  }

  it('knows the default role alone where a policy has none of its own', () => {
    expect(rolesMayUse(policyOf(), ['default'], 'echo')).to.equal(true);
    expect(rolesMayUse(policyOf(), ['reader'], 'echo')).to.equal(false);
  });
});
