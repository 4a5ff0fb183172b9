export function SafetyBanner() {
  return null;
}
