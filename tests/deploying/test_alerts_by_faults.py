"""The short form of scripts/fire-alerts: alerts fire by a fault and clear by its remedy."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

from deploying.alert_faults import FAULTS
from deploying.alert_stage import alert_stage
from deploying.files import alert_rules
from deploying.fired_alerts import fire

QUICK = ("NewsdedupDown", "NewsdedupFeederDown", "NewsdedupServerDown", "NewsdedupDiskFull")


def test_every_alert_has_a_fault_that_fires_it():
    fired = [alert for fault in FAULTS for alert in fault.alerts]
    assert sorted(fired) == sorted(rule["alert"] for rule in alert_rules())


def test_alerts_fire_by_a_real_fault_and_clear_by_its_remedy(prometheus, kafka, redis, tmp_path):
    faults = [fault for fault in FAULTS if set(QUICK) & set(fault.alerts)]
    with alert_stage(prometheus, kafka, redis, tmp_path) as stage, ThreadPoolExecutor() as pool:
        fired = [one for fires in pool.map(partial(fire, stage), faults) for one in fires]
    assert {one.alert: one.done for one in fired} == dict.fromkeys(QUICK, True)
