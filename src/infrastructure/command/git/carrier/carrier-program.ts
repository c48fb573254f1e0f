/** The process that carries data between git folders: one request a line, one answer each. */
import { createInterface } from 'node:readline';
import { Carrier } from './carrier.js';
import { type CarrierAnswer, type CarrierRequest, piecesOf } from './carrier-messages.js';

const carriers = new Map<string, Carrier>();

function answerTo(request: CarrierRequest): CarrierAnswer {
  const { id, work, place, isLive } = request;
  try {
    const carrier = carriers.get(place.state) ?? new Carrier(place);
    carriers.set(place.state, carrier);
    return {
      id,
      report: work === 'adopt' ? carrier.adopt({ isLive }) : carrier.sync({ isLive }),
    };
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
