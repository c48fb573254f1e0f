/** The process that carries data between git folders: one request a line, one answer each. */
import { createInterface } from 'node:readline';
import { discardInside, restoreTip, statusReport } from './airlock-status.js';
import { Carrier } from './carrier.js';
import {
  type CarrierAnswer,
  type CarrierRequest,
  type CarryReport,
  type CarryWork,
  piecesOf,
} from './carrier-messages.js';

const carriers = new Map<string, Carrier>();

function answerTo(request: CarrierRequest): CarrierAnswer {
  const { id, work, place, isLive, tip = '' } = request;
  try {
    const carrier = (): Carrier => {
      const known = carriers.get(place.state) ?? new Carrier(place);
      carriers.set(place.state, known);
      return known;
    };
    const works: Readonly<Record<CarryWork, () => CarryReport>> = {
      sync: () => carrier().sync({ isLive }),
      adopt: () => carrier().adopt({ isLive }),
      status: () => statusReport(place),
      discard: () => discardInside(place),
      restore: () => restoreTip(place, tip),
    };
    return { id, report: works[work]() };
  } catch (error) {
    // What it knew may be half of the truth.
    carriers.get(place.state)?.close();
    carriers.delete(place.state);
    return { id, fault: error instanceof Error ? error.message : String(error) };
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  process.stdout.write(piecesOf(answerTo(JSON.parse(line))));
});
