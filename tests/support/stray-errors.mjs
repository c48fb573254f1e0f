// Loaded before the server's own program: leaves behind what a careless tool might.
const later = (ms, act) => setTimeout(act, ms).unref();

later(400, () => {
  throw new Error('stray throw');
});
later(500, () => void Promise.reject(new Error('stray rejection')));
later(600, () => {
  throw undefined;
});
