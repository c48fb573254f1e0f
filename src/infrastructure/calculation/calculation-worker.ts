import { type CalculationTask, calculate } from './calculation-task.js';

/**
 * The program of the process that calculations run in. It knows nothing of the server: tasks come and answers go
 * through the channel, and with the channel it ends.
 */
process.on('disconnect', () => process.exit(0));
process.on('message', async ({ id, task }: { readonly id: number; readonly task: CalculationTask }) => {
  try {
    const value = await calculate(task);
    process.send?.({ id, value });
  } catch (error) {
    process.send?.({ id, why: error instanceof Error ? error.message : String(error) });
  }
});
