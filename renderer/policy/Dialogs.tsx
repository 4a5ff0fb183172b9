/** The dialogs of policy, export and verification; which one is open is `state.ui.dialog`. */
export function Dialogs() {
  return null;
}
