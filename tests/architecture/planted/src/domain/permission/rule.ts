export const allowed = true;
