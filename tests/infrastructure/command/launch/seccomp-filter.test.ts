import { expect } from 'chai';
import { describe, it } from 'mocha';
import { seccompFilter } from '../../../../src/infrastructure/command/launch/seccomp-filter.js';
import {
  type SyscallTable,
  syscallTableFor,
} from '../../../../src/infrastructure/command/launch/seccomp-syscalls.js';

const ALLOW = 0x7fff0000;
const EPERM = 0x00050001;
const EINVAL = 0x00050016;
const ENOSYS = 0x00050026;
const WITHOUT_EFFECT = 0x00050000;
const KILL = 0x80000000;

/** Runs the filter as the kernel would. */
function evaluate(filter: Buffer, audit: number, number: number, args: readonly number[] = []): number {
  const data = new Map([
    [0, number],
    [4, audit],
    ...args.flatMap((value, index): [number, number][] => [
      [16 + index * 8, value >>> 0],
      [20 + index * 8, Math.floor(value / 2 ** 32)],
    ]),
  ]);
  let accumulator = 0;
  for (let at = 0; at < filter.length / 8; at += 1) {
    const operand = filter.readUInt32LE(at * 8 + 4);
    const jumpBy = (taken: boolean): number => filter.readUInt8(at * 8 + (taken ? 2 : 3));
    switch (filter.readUInt16LE(at * 8)) {
      case 0x20:
        accumulator = data.get(operand) ?? 0;
        break;
      case 0x15:
        at += jumpBy(accumulator === operand);
        break;
      case 0x25:
        at += jumpBy(accumulator > operand);
        break;
      case 0x54:
        accumulator &= operand;
        break;
      case 0x35:
        at += jumpBy(accumulator >= operand);
        break;
      case 0x45:
        at += jumpBy((accumulator & operand) !== 0);
        break;
      case 0x06:
        return operand;
      default:
        throw new Error('an instruction that the kernel does not know');
    }
  }
  throw new Error('the filter ran off its end');
}

function tableOf(architecture: string): SyscallTable {
  const table = syscallTableFor(architecture);
  if (table === undefined) throw new Error(`no table for ${architecture}`);
  return table;
}

for (const architecture of ['x64', 'arm64']) {
  describe(`The system call filter for ${architecture}`, () => {
    const table = tableOf(architecture);
    const filter = seccompFilter(table);
    const judge = (number: number, ...args: number[]): number => evaluate(filter, table.audit, number, args);

    it('kills whoever calls with the convention of another architecture', () => {
      for (const audit of [0x40000003, 0x40000028, 0xc000003e, 0xc00000b7])
        if (audit !== table.audit) expect(evaluate(filter, audit, 1)).to.equal(KILL);
    });

    it('refuses each denied call, hides each absent one and allows the rest', () => {
      const special = [table.socket, table.socketpair, table.clone, table.unshare, table.ioctl, table.prctl];
      for (let number = 0; number < 500; number += 1) {
        if (special.includes(number)) continue;
        const expected = table.denied.includes(number)
          ? EPERM
          : table.absent.includes(number)
            ? ENOSYS
            : ALLOW;
        expect(judge(number), `call ${number}`).to.equal(expected);
      }
    });

    it('bounds what the kernel keeps for no process: buffers of sockets, segments, sets of semaphores, queues', () => {
      for (const option of [7, 8, 32, 33]) expect(judge(table.setsockopt, 3, 1, option)).to.equal(0x00050000);
      for (const option of [2, 9, 20, 21]) expect(judge(table.setsockopt, 3, 1, option)).to.equal(ALLOW);
      // TCP_CORK and TCP_USER_TIMEOUT have other numbers at another level.
      expect(judge(table.setsockopt, 3, 6, 7)).to.equal(ALLOW);
      expect(judge(table.semget, 0, 17, 0)).to.equal(ALLOW);
      expect(judge(table.semget, 0, 33, 0)).to.equal(EINVAL);
      expect(judge(table.shmget, 0, 16_384, 0)).to.equal(ALLOW);
      expect(judge(table.shmget, 0, 16_385, 0)).to.equal(EINVAL);
    });

    it('lets unix sockets of every type be opened if it is asked to, and still no other family', () => {
      const open = seccompFilter(table, { unixSockets: true });
      const judgeOpen = (number: number, ...args: number[]): number =>
        evaluate(open, table.audit, number, args);
      for (let family = 0; family < 50; family += 1) {
        const expected = family === 1 ? ALLOW : judge(table.socket, family, 1, 0);
        expect(judgeOpen(table.socket, family, 1, 0), `family ${family}`).to.equal(expected);
        expect(judgeOpen(table.socketpair, family, 2, 0)).to.equal(family === 1 ? ALLOW : EPERM);
      }
      for (let number = 0; number < 500; number += 1)
        if (number !== table.socket && number !== table.socketpair)
          expect(judgeOpen(number)).to.equal(judge(number));
    });

    it('lets a socket be opened for the internet and the routing table only', () => {
      for (let family = 0; family < 50; family += 1)
        expect(judge(table.socket, family, 1, 0)).to.equal([2, 10, 16].includes(family) ? ALLOW : EPERM);
      expect(judge(table.socket, 16, 3, 9)).to.equal(EPERM);
    });

    it('lets pairs be made that reach nobody but each other', () => {
      const [cloexec, nonblock] = [0o2000000, 0o4000];
      for (const type of [1, 5, 1 | cloexec, 5 | cloexec | nonblock])
        expect(judge(table.socketpair, 1, type, 0), `type ${type}`).to.equal(ALLOW);
      // SOCK_RAW is another word for SOCK_DGRAM there.
      for (const type of [0, 2, 3, 4, 6, 10, 2 | cloexec, 3 | nonblock])
        expect(judge(table.socketpair, 1, type, 0), `type ${type}`).to.equal(EPERM);
      for (const family of [0, 2, 10, 16, 30, 40])
        expect(judge(table.socketpair, family, 1, 0)).to.equal(EPERM);
    });

    it('lets small segments be made, by all 64 bits of their size', () => {
      for (const size of [0, 56, 16_384]) expect(judge(table.shmget, 0, size)).to.equal(ALLOW);
      for (const size of [16_385, 2 ** 31, 2 ** 32, 2 ** 32 + 56, 2 ** 40])
        expect(judge(table.shmget, 0, size)).to.equal(EINVAL);
    });

    it('gives no file a set-id bit and makes no device', () => {
      for (const { number, mode, flags } of [...table.modes, ...table.nodes]) {
        const given = (value: number, open: number): number => {
          const args = [0, 0, 0, 0, 0, 0];
          args[mode] = value;
          if (flags !== undefined) args[flags] = open;
          return judge(number, ...args);
        };
        for (const bits of [0o4000, 0o2000, 0o6000])
          for (const open of [0o101, 0o20200000])
            expect(given(bits | 0o755, open), `${number}`).to.equal(EPERM);
        expect(given(0o1777, 0o101)).to.equal(ALLOW);
        // A register that open does not read holds anything.
        if (flags !== undefined) expect(given(0o7777, 0o200000)).to.equal(ALLOW);
      }
      for (const { number, mode } of table.nodes) {
        const made = (kind: number): number => judge(number, ...[0, 0, 0].fill(kind | 0o644, mode, mode + 1));
        for (const kind of [0o010000, 0o100000, 0o140000]) expect(made(kind)).to.equal(ALLOW);
        for (const kind of [0o020000, 0o060000]) expect(made(kind)).to.equal(EPERM);
      }
    });

    it('lets threads and processes be made and no namespace', () => {
      expect(judge(table.clone, 0x3d0f00)).to.equal(ALLOW);
      expect(judge(table.clone, 17)).to.equal(ALLOW);
      expect(judge(table.unshare, 0x400)).to.equal(ALLOW);
      for (const flag of [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000]) {
        expect(judge(table.clone, flag | 17)).to.equal(EPERM);
        expect(judge(table.unshare, flag)).to.equal(EPERM);
      }
      expect(judge(table.unshare, 0x80)).to.equal(EPERM);
    });

    it('keeps a command from typing into the terminal', () => {
      expect(judge(table.ioctl, 0, 0x5401)).to.equal(ALLOW);
      expect(judge(table.ioctl, 0, 0x5412)).to.equal(EPERM);
      expect(judge(table.ioctl, 0, 0x541c)).to.equal(EPERM);
    });

    it('lets nobody take back that it dies with its parent', () => {
      expect(judge(table.prctl, 1, 9)).to.equal(ALLOW);
      for (const signal of [0, 15, 18, 64]) expect(judge(table.prctl, 1, signal)).to.equal(WITHOUT_EFFECT);
      for (const option of [2, 4, 15, 22, 38]) expect(judge(table.prctl, option, 0)).to.equal(ALLOW);
    });
  });
}

describe('The system call filter', () => {
  it('kills the x32 convention', () => {
    const table = tableOf('x64');
    expect(evaluate(seccompFilter(table), table.audit, 0x40000000)).to.equal(KILL);
  });

  it('does not exist for an architecture without a table', () => {
    expect(syscallTableFor('riscv64')).to.equal(undefined);
  });
});
