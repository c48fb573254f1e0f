import { expect } from 'chai';
import { Container, ContainerModule } from 'inversify';
import { describe, it } from 'mocha';
import { SessionCommands } from '../../../src/application/command/session-commands.js';
import { ToolSwitchboard } from '../../../src/application/flag/tool-switchboard.js';
import { AuditLog } from '../../../src/application/ports/audit/audit-log.js';
import { CommandRunner } from '../../../src/application/ports/command/command-runner.js';
import { SafeFileSystem } from '../../../src/application/ports/file/safe-file-system.js';
import { FlagStore } from '../../../src/application/ports/flag/flag-store.js';
import { DocumentLibrary } from '../../../src/application/ports/knowledge/document-library.js';
import { PromptSource } from '../../../src/application/ports/prompt/prompt-source.js';
import { SharedState } from '../../../src/application/ports/system/shared-state.js';
import { CallerSessions } from '../../../src/application/session/caller-sessions.js';
import { createCastellan } from '../../../src/composition/server/create-castellan.js';
import { FollowedPolicy } from '../../../src/composition/server/followed-policy.js';
import {
  BEGINNING,
  beginServer,
  bindStage,
  ENDING,
  endServer,
} from '../../../src/composition/server/lifecycle.js';
import { LocalApprovalDesk } from '../../../src/infrastructure/approval/local-approval-desk.js';
import { PlatformSandbox } from '../../../src/infrastructure/command/runner/local-command-runner.js';
import { PolicyRedaction } from '../../../src/infrastructure/observability/policy-redaction.js';
import { isolatedOptions } from '../../support/isolated-options.js';

/** What a server calls of its parts: the token, and the methods that are written down. */
const WATCHED = [
  [ToolSwitchboard, ['start', 'stop']],
  [LocalApprovalDesk, ['close']],
  [CallerSessions, ['endAll']],
  [SessionCommands, ['close']],
  [CommandRunner, ['close']],
  [FlagStore, ['close']],
  [DocumentLibrary, ['close']],
  [PromptSource, ['close']],
  [PolicyRedaction, ['follow', 'stop']],
  [SafeFileSystem, ['recover']],
  [FollowedPolicy, ['begin', 'end']],
  [PlatformSandbox, ['close']],
  [AuditLog, ['close']],
  [SharedState, ['close']],
] as const;

/** Has `container` write down each call of those methods. */
function watch(container: Container, seen: string[]): void {
  for (const [token, methods] of WATCHED) {
    const part = container.get<object>(token);
    for (const method of methods) {
      const original: unknown = Reflect.get(part, method);
      if (typeof original !== 'function') throw new Error(`${String(token)} has no ${method}.`);
      Reflect.set(part, method, (...args: readonly unknown[]): unknown => {
        seen.push(`${typeof token === 'function' ? token.name : String(token)}.${method}`);
        return Reflect.apply(original, part, args);
      });
    }
  }
}

function serverWith(...stages: readonly (readonly [(typeof ENDING)[number], () => unknown])[]): Container {
  const server = new Container();
  server.load(
    new ContainerModule(({ bind }) => {
      for (const [name, end] of stages) bindStage(bind, name, { end });
    }),
  );
  return server;
}

describe('the beginning and the end of a server', () => {
  it('take the parts of all concepts in the order that is written down', async () => {
    const seen: string[] = [];
    const castellan = await createCastellan({
      ...isolatedOptions(),
      configure: (container) => watch(container, seen),
    });
    await castellan.close();
    expect(seen.map((call) => call.replace('Symbol(castellan.', '').replace(')', ''))).to.deep.equal([
      'FollowedPolicy.begin',
      'PolicyRedaction.follow',
      'SafeFileSystem.recover',
      'ToolSwitchboard.start',
      'ToolSwitchboard.stop',
      'LocalApprovalDesk.close',
      'CallerSessions.endAll',
      'SessionCommands.close',
      'CommandRunner.close',
      'FlagStore.close',
      'DocumentLibrary.close',
      'PromptSource.close',
      'PolicyRedaction.stop',
      'FollowedPolicy.end',
      'PlatformSandbox.close',
      'AuditLog.close',
      'SharedState.close',
    ]);
  });

  it('name every stage once', () => {
    expect(new Set(ENDING).size).to.equal(ENDING.length);
    expect(BEGINNING.filter((name) => !ENDING.includes(name))).to.deep.equal([]);
  });

  it('do not depend on the order in which concepts were bound', async () => {
    const seen: string[] = [];
    await endServer(
      serverWith(
        ['audit', () => seen.push('audit')],
        ['flags', () => Promise.resolve().then(() => seen.push('flags'))],
        ['tool switches', () => seen.push('tool switches')],
      ),
    );
    expect(seen).to.deep.equal(['tool switches', 'flags', 'audit']);
  });

  it('close the audit log although a part before it fails, and tell of the failure', async () => {
    const seen: string[] = [];
    const server = serverWith(
      ['audit', () => seen.push('audit')],
      ['flags', () => Promise.reject(new Error('flags are stuck'))],
    );
    const why = await endServer(server).then(() => 'nothing', String);
    expect(why).to.equal('Error: flags are stuck');
    expect(seen).to.deep.equal(['audit']);
  });

  it('tell of all failures where there are several', async () => {
    const fails = (why: string) => () => Promise.reject(new Error(why));
    const server = serverWith(['flags', fails('one')], ['sandbox', fails('two')]);
    const error: unknown = await endServer(server).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(AggregateError);
    expect(error instanceof AggregateError && error.errors.map(String)).to.deep.equal([
      'Error: one',
      'Error: two',
    ]);
  });

  it('wait for each beginning before the next', async () => {
    const seen: string[] = [];
    const server = new Container();
    server.load(
      new ContainerModule(({ bind }) => {
        bindStage(bind, 'files', { begin: () => seen.push('files'), end: () => undefined });
        bindStage(bind, 'policy', {
          begin: () => Promise.resolve().then(() => seen.push('policy')),
          end: () => undefined,
        });
      }),
    );
    await beginServer(server);
    expect(seen).to.deep.equal(['policy', 'files']);
  });
});
