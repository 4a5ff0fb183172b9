let isPlain = false;

/** Whether this command counts plainly: said once, before it runs. */
export function countPlainly(plain: boolean): void {
  isPlain = plain;
}

/** Whether counts are wanted as they are, not the provider's. */
export function countsPlainly(): boolean {
  return isPlain;
}
