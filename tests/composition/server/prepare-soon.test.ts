import { expect } from 'chai';
import { Container } from 'inversify';
import { describe, it } from 'mocha';
import { PrepareCommands } from '../../../src/application/command/prepare-commands.js';
import { Timer } from '../../../src/application/ports/system/timer.js';
import { prepareSoon } from '../../../src/composition/server/prepare-soon.js';
import { LOCAL_STDIO } from '../../../src/domain/session/caller.js';
import { Session } from '../../../src/domain/session/session.js';
import { ManualTime } from '../../support/manual-time.js';

describe('prepareSoon', () => {
  function ground(prepare: () => Promise<void>) {
    const time = new ManualTime();
    const container = new Container();
    container.bind(Timer).toConstantValue(time);
    container.bind<Pick<PrepareCommands, 'prepare'>>(PrepareCommands).toConstantValue({ prepare });
    return { time, preparation: prepareSoon(container, Session.create('one', LOCAL_STDIO)) };
  }

  it('waits until the client has its first answers', () => {
    let times = 0;
    const { time } = ground(async () => {
      times += 1;
    });
    time.advance(100);
    expect(times).to.equal(0);
    time.advance(10_000);
    expect(times).to.equal(1);
  });

  it('is called off with the connection', () => {
    let times = 0;
    const { time, preparation } = ground(async () => {
      times += 1;
    });
    void preparation.end();
    time.advance(10_000);
    expect(times).to.equal(0);
  });

  it('leaves it to the first command to say what is wrong', async () => {
    const { time, preparation } = ground(() => Promise.reject(new Error('nothing works')));
    time.advance(10_000);
    await preparation.end();
  });

  it('is over only when what it ran has ended', async () => {
    const steps: string[] = [];
    let end = (): void => undefined;
    const { time, preparation } = ground(async () => {
      await new Promise<void>((ended) => {
        end = ended;
      });
      steps.push('ended');
    });
    time.advance(10_000);
    const waiting = preparation.end().then(() => steps.push('over'));
    await new Promise(setImmediate);
    expect(steps).to.deep.equal([]);
    end();
    await waiting;
    expect(steps).to.deep.equal(['ended', 'over']);
  });
});
