const DRIVER = 'castellan-objects-first';

/**
 * For every file, of the lowest rank. Where git draws changes it would rather read a file that is as its index says than
 * unpack the object, and takes one that it cannot open for an empty one. It reads the object where a filter is
 * named, and this one has no program, so that nothing is converted.
 */
export const OBJECTS_FIRST_ATTRIBUTES = `* filter=${DRIVER}\n`;

/** Without it git does not know the filter, and the attribute says nothing. */
export const OBJECTS_FIRST = [[`filter.${DRIVER}.required`, 'false']] as const;
