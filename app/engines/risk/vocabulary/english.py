"""English verbs of what is hard to undo. `PLAIN_ENGLISH` command at the beginning or the end of a name;
`EITHER_ENGLISH` are things as well and command where they begin it.
"""

PLAIN_ENGLISH = {
    "delete": """
    delete del erase destroy purge wipe shred expunge obliterate uninstall truncate decommission anonymize
    anonymise permanently_remove move_to_trash move_to_bin move_to_the_bin move_to_recycle_bin
    throw_away send_to_trash put_in_trash put_in_bin empty_trash empty_bin empty_the_bin empty_the_trash
    empty_recycle_bin empty_deleted_items empty_spam empty_folder drop_table drop_database drop_index
    drop_column drop_schema clear_all_data clear_data clear_history clear_browsing_data clear_database
    clear_logs delist deprovision
    scrub nuke prune tear_down undeploy deallocate redact hard_delete soft_delete dispose flush dissolve
    disband
    """,
    "remove": """
    remove expel evict kick unfriend disconnect unlink unpair forget_device forget_this_device
    forget_network detach eject deregister unregister unenroll unlist unassign delink exclude
    """,
    "discard": "discard don_t_save dont_save close_without_saving leave_without_saving revert_all",
    "revoke": "revoke rescind invalidate nullify void",
    "cancel": """
    withdraw_bid withdraw_lot withdraw_item withdraw_offer withdraw_application withdraw_consent
    withdraw_request withdraw_entry withdraw_listing withdraw_claim
    unsubscribe call_off opt_out retract recall_message withdraw_application withdraw_offer
    withdraw_request write_off resign relinquish surrender forfeit recall
    """,
    "deactivate": "deactivate",
    "stop": """
    terminate shut_down shutdown power_off force_stop take_offline take_down force_quit wind_down
    hang_up sunset retire halt discontinue
    """,
    "reset": "factory_reset reset_all_data reset_everything reset_to_factory restore_factory reset_device",
    "overwrite": """
    overwrite replace_all roll_back rollback restore_backup restore_snapshot revert_to override
    force_overwrite
    """,
    "block": """
    ban suspend blacklist freeze unfreeze unblock block_and_report report_and_block
    lock_account lock_user unlock_account unlock_user lock_card unlock_card unban lock_out
    restrict_access
    """,
    "pay": """
    pay make_payment donate top_up withdraw refund pay_now pay_out payout disburse send_money
    send_payment add_funds deposit_funds wire_money transfer_money give_now
    add_money invest payoff pay_off
    reimburse repay remit settle contribute pledge fund lend borrow sponsor stake gift deposit
    """,
    "buy": """
    buy purchase place_order place_your_order place_my_order place_bid order_now sell checkout check_out_now
    complete_checkout place_trade rent_now knock_down
    preorder pre_order reorder_now buy_again back_this_project hire_now boost_post get_it_now bet place_bet
    """,
    "book": "reserve book_now",
    "subscribe": """
    subscribe upgrade_now start_subscription start_membership renew_subscription renew_now renew_membership
    renew_domain renew_license renew_plan
    renew start_free_trial start_trial start_my_free_trial start_your_free_trial
    """,
    "send": """
    serve_notice serve_papers serve_documents serve_party serve_opposing serve_defendant serve_counsel
    send resend broadcast notify transmit send_out fax paper_plane paper_plane_o
    dispatch escalate alert remind nudge ping circulate
    """,
    "publish": """
    publish unpublish republish tweet retweet repost announce go_live make_live set_live launch_campaign
    start_campaign launch_site launch_website
    """,
    "invite": "reinvite",
    "approve": """
    discard_candidate discard_applicant
    approve disapprove reject ratify authorize authorise countersign sign_off certify veto waive
    award endorse admit adjudicate attest finalize finalise verify_and_approve
    """,
    "deploy": """
    deploy redeploy force_push push_to_production promote_to_production go_to_production run_migration
    run_migrations apply_migrations execute ship_it
    """,
    "discharge": "discharge prescribe administer euthanize",
    "fire": "lay_off",
    "grant": """
    grant make_admin make_owner make_administrator make_moderator promote_to_admin make_public make_private
    make_default_admin give_access allow_access impersonate change_visibility enroll_device elevate
    sign_in_as log_in_as login_as change_ownership
    promote demote delegate whitelist allowlist permit enroll unlock
    """,
    "hand_in": "turn_in hand_in",
    "leave": """
    log_out logout sign_out signout log_off logoff log_me_out sign_me_out end_session end_all_sessions
    """,
}

EITHER_ENGLISH = {
    "delete": "trash bin trashcan dustbin garbage recycle_bin scrap",
    "block": "block",
    "order": "order",
    "book": "book",
    "bid": "bid",
    "pay": "charge tip",
    "transfer": "transfer wire",
    "trade": "trade",
    "post": "post",
    "share": "share",
    "reply": "reply reply_all comment",
    "forward": "forward",
    "invite": "invite",
    "message": "message email",
    "sign": "sign esign e_sign",
    "merge": "merge",
    "release": "release",
    "fire": "hire fire",
    "deactivate": "disable",
    "refuse": "decline deny",
    "accept": "accept",
}
