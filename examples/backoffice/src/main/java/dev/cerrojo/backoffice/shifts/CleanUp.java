package dev.cerrojo.backoffice.shifts;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Takes doctors off whose time is over; on every replica, since the service that it calls is protected. */
@Component
class CleanUp {
    private final OnCall onCall;

    CleanUp(OnCall onCall) {
        this.onCall = onCall;
    }

    @Scheduled(
            fixedDelayString = "${backoffice.clean-up-every:PT1M}",
            initialDelayString = "${backoffice.clean-up-every:PT1M}")
    void run() {
        onCall.shiftsWithExpired().forEach(onCall::removeExpired);
    }
}
