@rem kubectl looks for this command to complete the plugin's command line.
@kubectl-smp __complete %*
