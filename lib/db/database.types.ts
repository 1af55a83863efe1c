export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export type Database = {
  public: {
    Tables: {
      ai_usage: {
        Row: {
          calls: number
          day: string
          organization_id: string
          person: string
          tokens: number
        }
        ComputedFields: never
        Insert: {
          calls?: number
          day: string
          organization_id: string
          person: string
          tokens?: number
        }
        Update: {
          calls?: number
          day?: string
          organization_id?: string
          person?: string
          tokens?: number
        }
        Relationships: [
          {
            foreignKeyName: 'ai_usage_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      attempt_limits: {
        Row: {
          account: string | null
          expires_at: string
          failed_at: string | null
          failures: number
          hits: number
          key: string
          locked_until: string | null
          succeeded_at: string | null
          told_at: string | null
          window_start: string
        }
        ComputedFields: never
        Insert: {
          account?: string | null
          expires_at: string
          failed_at?: string | null
          failures?: number
          hits?: number
          key: string
          locked_until?: string | null
          succeeded_at?: string | null
          told_at?: string | null
          window_start: string
        }
        Update: {
          account?: string | null
          expires_at?: string
          failed_at?: string | null
          failures?: number
          hits?: number
          key?: string
          locked_until?: string | null
          succeeded_at?: string | null
          told_at?: string | null
          window_start?: string
        }
        Relationships: []
      }
      audit_log: {
        Row: {
          action: string
          actor: string
          actor_id: string | null
          created_at: string
          details: NonNullable<Json>
          id: string
          location_id: string | null
          organization_id: string
          subject: string | null
          subject_id: string
          subject_type: string
        }
        ComputedFields: never
        Insert: {
          action: string
          actor?: string
          actor_id?: string | null
          created_at?: string
          details?: NonNullable<Json>
          id?: string
          location_id?: string | null
          organization_id: string
          subject?: string | null
          subject_id: string
          subject_type: string
        }
        Update: {
          action?: string
          actor?: string
          actor_id?: string | null
          created_at?: string
          details?: NonNullable<Json>
          id?: string
          location_id?: string | null
          organization_id?: string
          subject?: string | null
          subject_id?: string
          subject_type?: string
        }
        Relationships: [
          {
            foreignKeyName: 'audit_log_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      automation_runs: {
        Row: {
          automation_id: string | null
          automation_name: string
          decided_at: string | null
          decided_by: string | null
          event: NonNullable<Json>
          expires_at: string | null
          failed: number
          failures: number
          finished_at: string | null
          guests: number | null
          id: string
          is_empty: boolean
          location_ids: string[]
          organization_id: string
          planned_to: string | null
          planning: boolean
          processed: number
          reason: string | null
          sent: number
          simulated: number
          skipped: number
          started_at: string
          started_by: string | null
          started_by_name: string | null
          status: string
          stopped_at: string | null
          stopped_by: string | null
          template: Json | null
          triggered_by: string
        }
        ComputedFields: never
        Insert: {
          automation_id?: string | null
          automation_name: string
          decided_at?: string | null
          decided_by?: string | null
          event?: NonNullable<Json>
          expires_at?: string | null
          failed?: number
          failures?: number
          finished_at?: string | null
          guests?: number | null
          id?: string
          is_empty?: never
          location_ids?: string[]
          organization_id: string
          planned_to?: string | null
          planning?: boolean
          processed?: number
          reason?: string | null
          sent?: number
          simulated?: number
          skipped?: number
          started_at?: string
          started_by?: string | null
          started_by_name?: string | null
          status?: string
          stopped_at?: string | null
          stopped_by?: string | null
          template?: Json | null
          triggered_by: string
        }
        Update: {
          automation_id?: string | null
          automation_name?: string
          decided_at?: string | null
          decided_by?: string | null
          event?: NonNullable<Json>
          expires_at?: string | null
          failed?: number
          failures?: number
          finished_at?: string | null
          guests?: number | null
          id?: string
          is_empty?: never
          location_ids?: string[]
          organization_id?: string
          planned_to?: string | null
          planning?: boolean
          processed?: number
          reason?: string | null
          sent?: number
          simulated?: number
          skipped?: number
          started_at?: string
          started_by?: string | null
          started_by_name?: string | null
          status?: string
          stopped_at?: string | null
          stopped_by?: string | null
          template?: Json | null
          triggered_by?: string
        }
        Relationships: [
          {
            foreignKeyName: 'automation_runs_automation_id_fkey'
            columns: ['automation_id']
            isOneToOne: false
            referencedRelation: 'automations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'automation_runs_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      automations: {
        Row: {
          after_days: number | null
          body: string
          campaign_id: string | null
          channel: string
          content_sid: string | null
          content_variables: NonNullable<Json>
          control_share: number | null
          created_at: string
          criteria: NonNullable<Json>
          deleted_at: string | null
          email_design: Json | null
          email_look: Json | null
          fallback_channel: string | null
          id: string
          location_ids: string[]
          name: string
          organization_id: string
          status: string
          step: number | null
          subject: string | null
          tags: string[]
          tier_ids: string[]
          type: string
          updated_at: string
          variant: string | null
        }
        ComputedFields: never
        Insert: {
          after_days?: number | null
          body?: string
          campaign_id?: string | null
          channel: string
          content_sid?: string | null
          content_variables?: NonNullable<Json>
          control_share?: number | null
          created_at?: string
          criteria?: NonNullable<Json>
          deleted_at?: string | null
          email_design?: Json | null
          email_look?: Json | null
          fallback_channel?: string | null
          id?: string
          location_ids?: string[]
          name: string
          organization_id: string
          status?: string
          step?: number | null
          subject?: string | null
          tags?: string[]
          tier_ids?: string[]
          type: string
          updated_at?: string
          variant?: string | null
        }
        Update: {
          after_days?: number | null
          body?: string
          campaign_id?: string | null
          channel?: string
          content_sid?: string | null
          content_variables?: NonNullable<Json>
          control_share?: number | null
          created_at?: string
          criteria?: NonNullable<Json>
          deleted_at?: string | null
          email_design?: Json | null
          email_look?: Json | null
          fallback_channel?: string | null
          id?: string
          location_ids?: string[]
          name?: string
          organization_id?: string
          status?: string
          step?: number | null
          subject?: string | null
          tags?: string[]
          tier_ids?: string[]
          type?: string
          updated_at?: string
          variant?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'automations_campaign_id_fkey'
            columns: ['campaign_id']
            isOneToOne: false
            referencedRelation: 'campaigns'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'automations_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      brands: {
        Row: {
          created_at: string
          id: string
          name: string
          organization_id: string
          slug: string
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          id?: string
          name: string
          organization_id: string
          slug: string
        }
        Update: {
          created_at?: string
          id?: string
          name?: string
          organization_id?: string
          slug?: string
        }
        Relationships: [
          {
            foreignKeyName: 'brands_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      calendar_events: {
        Row: {
          assignee_id: string | null
          created_at: string
          created_by: string | null
          customer_id: string | null
          description: string | null
          ends_at: string | null
          ends_on: string | null
          event_datetime: string
          id: string
          location_id: string | null
          notification_round: number
          notification_sent: boolean
          occurs_on: string | null
          organization_id: string
          own_fields: string[]
          reminder_minutes: number
          reminder_round: number
          reminder_sent: boolean
          series_id: string | null
          starts_on: string | null
          title: string
          updated_at: string
        }
        ComputedFields: never
        Insert: {
          assignee_id?: string | null
          created_at?: string
          created_by?: string | null
          customer_id?: string | null
          description?: string | null
          ends_at?: string | null
          ends_on?: string | null
          event_datetime: string
          id?: string
          location_id?: string | null
          notification_round?: number
          notification_sent?: boolean
          occurs_on?: string | null
          organization_id: string
          own_fields?: string[]
          reminder_minutes?: number
          reminder_round?: number
          reminder_sent?: boolean
          series_id?: string | null
          starts_on?: string | null
          title: string
          updated_at?: string
        }
        Update: {
          assignee_id?: string | null
          created_at?: string
          created_by?: string | null
          customer_id?: string | null
          description?: string | null
          ends_at?: string | null
          ends_on?: string | null
          event_datetime?: string
          id?: string
          location_id?: string | null
          notification_round?: number
          notification_sent?: boolean
          occurs_on?: string | null
          organization_id?: string
          own_fields?: string[]
          reminder_minutes?: number
          reminder_round?: number
          reminder_sent?: boolean
          series_id?: string | null
          starts_on?: string | null
          title?: string
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: 'calendar_events_assignee_id_fkey'
            columns: ['assignee_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'calendar_events_created_by_fkey'
            columns: ['created_by']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'calendar_events_customer_id_fkey'
            columns: ['customer_id']
            isOneToOne: false
            referencedRelation: 'customers'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'calendar_events_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'calendar_events_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      campaigns: {
        Row: {
          approved_at: string | null
          approved_by: string | null
          control_share: number | null
          created_at: string
          created_by: string | null
          created_by_name: string | null
          decided_at: string | null
          exclude_recent_days: number
          expires_at: string | null
          finished_at: string | null
          guests: number | null
          id: string
          launched_at: string | null
          launched_by: string | null
          launched_by_name: string | null
          location_ids: string[]
          name: string
          organization_id: string
          paused_by: string | null
          planned_at: string | null
          reason: string | null
          rest_planned_at: string | null
          segment_id: string | null
          segment_version: number | null
          started_at: string | null
          starts_local: string | null
          status: string
          stopped_by: string | null
          test_hours: number | null
          test_share: number | null
          updated_at: string
          version: number
          winner: string | null
          winner_by: string | null
          winner_reason: string | null
        }
        ComputedFields: never
        Insert: {
          approved_at?: string | null
          approved_by?: string | null
          control_share?: number | null
          created_at?: string
          created_by?: string | null
          created_by_name?: string | null
          decided_at?: string | null
          exclude_recent_days?: number
          expires_at?: string | null
          finished_at?: string | null
          guests?: number | null
          id?: string
          launched_at?: string | null
          launched_by?: string | null
          launched_by_name?: string | null
          location_ids?: string[]
          name: string
          organization_id: string
          paused_by?: string | null
          planned_at?: string | null
          reason?: string | null
          rest_planned_at?: string | null
          segment_id?: string | null
          segment_version?: number | null
          started_at?: string | null
          starts_local?: string | null
          status?: string
          stopped_by?: string | null
          test_hours?: number | null
          test_share?: number | null
          updated_at?: string
          version?: number
          winner?: string | null
          winner_by?: string | null
          winner_reason?: string | null
        }
        Update: {
          approved_at?: string | null
          approved_by?: string | null
          control_share?: number | null
          created_at?: string
          created_by?: string | null
          created_by_name?: string | null
          decided_at?: string | null
          exclude_recent_days?: number
          expires_at?: string | null
          finished_at?: string | null
          guests?: number | null
          id?: string
          launched_at?: string | null
          launched_by?: string | null
          launched_by_name?: string | null
          location_ids?: string[]
          name?: string
          organization_id?: string
          paused_by?: string | null
          planned_at?: string | null
          reason?: string | null
          rest_planned_at?: string | null
          segment_id?: string | null
          segment_version?: number | null
          started_at?: string | null
          starts_local?: string | null
          status?: string
          stopped_by?: string | null
          test_hours?: number | null
          test_share?: number | null
          updated_at?: string
          version?: number
          winner?: string | null
          winner_by?: string | null
          winner_reason?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'campaigns_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'campaigns_segment_id_fkey'
            columns: ['segment_id']
            isOneToOne: false
            referencedRelation: 'segments'
            referencedColumns: ['id']
          },
        ]
      }
      channel_pace: {
        Row: {
          channel: string
          next_at: string
          organization_id: string
          reason: string | null
        }
        ComputedFields: never
        Insert: {
          channel: string
          next_at: string
          organization_id: string
          reason?: string | null
        }
        Update: {
          channel?: string
          next_at?: string
          organization_id?: string
          reason?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'channel_pace_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      closed_days: {
        Row: {
          day: string
          location_id: string
          name: string | null
          organization_id: string
        }
        ComputedFields: never
        Insert: {
          day: string
          location_id: string
          name?: string | null
          organization_id: string
        }
        Update: {
          day?: string
          location_id?: string
          name?: string | null
          organization_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'closed_days_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'closed_days_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      customer_aliases: {
        Row: {
          created_at: string
          customer_id: string
          email: string | null
          id: string
          name: string | null
          organization_id: string
          phone: string | null
          whatsapp_id: string | null
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          customer_id: string
          email?: string | null
          id?: string
          name?: string | null
          organization_id: string
          phone?: string | null
          whatsapp_id?: string | null
        }
        Update: {
          created_at?: string
          customer_id?: string
          email?: string | null
          id?: string
          name?: string | null
          organization_id?: string
          phone?: string | null
          whatsapp_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'customer_aliases_customer_id_fkey'
            columns: ['customer_id']
            isOneToOne: false
            referencedRelation: 'customers'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'customer_aliases_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      customer_facts: {
        Row: {
          code: string
          customer_id: string
          kind: string
          note: string | null
          organization_id: string
          recorded_at: string
          recorded_by: string
        }
        ComputedFields: never
        Insert: {
          code: string
          customer_id: string
          kind: string
          note?: string | null
          organization_id: string
          recorded_at?: string
          recorded_by: string
        }
        Update: {
          code?: string
          customer_id?: string
          kind?: string
          note?: string | null
          organization_id?: string
          recorded_at?: string
          recorded_by?: string
        }
        Relationships: [
          {
            foreignKeyName: 'customer_facts_customer_id_fkey'
            columns: ['customer_id']
            isOneToOne: false
            referencedRelation: 'customers'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'customer_facts_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      customer_merges: {
        Row: {
          author_id: string | null
          author_name: string
          gone_id: string
          id: string
          kept_id: string
          merged_at: string
          organization_id: string
          undone_at: string | null
          undone_by: string | null
        }
        ComputedFields: never
        Insert: {
          author_id?: string | null
          author_name: string
          gone_id: string
          id?: string
          kept_id: string
          merged_at: string
          organization_id: string
          undone_at?: string | null
          undone_by?: string | null
        }
        Update: {
          author_id?: string | null
          author_name?: string
          gone_id?: string
          id?: string
          kept_id?: string
          merged_at?: string
          organization_id?: string
          undone_at?: string | null
          undone_by?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'customer_merges_author_id_fkey'
            columns: ['author_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'customer_merges_kept_id_fkey'
            columns: ['kept_id']
            isOneToOne: false
            referencedRelation: 'customers'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'customer_merges_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      customer_pairs: {
        Row: {
          author_id: string | null
          author_name: string
          decided_at: string
          first_id: string
          id: string
          organization_id: string
          second_id: string
          verdict: string
        }
        ComputedFields: never
        Insert: {
          author_id?: string | null
          author_name: string
          decided_at?: string
          first_id: string
          id?: string
          organization_id: string
          second_id: string
          verdict: string
        }
        Update: {
          author_id?: string | null
          author_name?: string
          decided_at?: string
          first_id?: string
          id?: string
          organization_id?: string
          second_id?: string
          verdict?: string
        }
        Relationships: [
          {
            foreignKeyName: 'customer_pairs_author_id_fkey'
            columns: ['author_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'customer_pairs_first_id_fkey'
            columns: ['first_id']
            isOneToOne: false
            referencedRelation: 'customers'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'customer_pairs_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'customer_pairs_second_id_fkey'
            columns: ['second_id']
            isOneToOne: false
            referencedRelation: 'customers'
            referencedColumns: ['id']
          },
        ]
      }
      customer_rhythms: {
        Row: {
          at_risk_on: string | null
          customer_id: string
          first_day: string
          last_day: string
          lost_on: string | null
          organization_id: string
          usual_days: number | null
          visit_days: number
        }
        ComputedFields: never
        Insert: {
          at_risk_on?: string | null
          customer_id: string
          first_day: string
          last_day: string
          lost_on?: string | null
          organization_id: string
          usual_days?: number | null
          visit_days: number
        }
        Update: {
          at_risk_on?: string | null
          customer_id?: string
          first_day?: string
          last_day?: string
          lost_on?: string | null
          organization_id?: string
          usual_days?: number | null
          visit_days?: number
        }
        Relationships: [
          {
            foreignKeyName: 'customer_rhythms_customer_id_fkey'
            columns: ['customer_id']
            isOneToOne: true
            referencedRelation: 'customers'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'customer_rhythms_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      customers: {
        Row: {
          address: string | null
          birth_date: string | null
          birth_day: number | null
          company: string | null
          consents: NonNullable<Json>
          created_at: string
          email: string | null
          email_key: string | null
          first_name: string | null
          id: string
          job_title: string | null
          last_name: string | null
          last_visit_at: string | null
          location_id: string | null
          loyalty_tier_id: string | null
          notes: string | null
          organization_id: string
          phone: string | null
          points: number
          postal_code: string | null
          search_text: string
          sort_name: string
          sort_visit: string
          source: string | null
          spend_is_estimate: boolean
          tags: string[]
          total_spend: number
          total_visits: number
          updated_at: string
          whatsapp_id: string | null
        }
        ComputedFields: never
        Insert: {
          address?: string | null
          birth_date?: string | null
          birth_day?: never
          company?: string | null
          consents?: NonNullable<Json>
          created_at?: string
          email?: string | null
          email_key?: never
          first_name?: string | null
          id?: string
          job_title?: string | null
          last_name?: string | null
          last_visit_at?: string | null
          location_id?: string | null
          loyalty_tier_id?: string | null
          notes?: string | null
          organization_id: string
          phone?: string | null
          points?: number
          postal_code?: string | null
          search_text?: never
          sort_name?: never
          sort_visit?: never
          source?: string | null
          spend_is_estimate?: boolean
          tags?: string[]
          total_spend?: number
          total_visits?: number
          updated_at?: string
          whatsapp_id?: string | null
        }
        Update: {
          address?: string | null
          birth_date?: string | null
          birth_day?: never
          company?: string | null
          consents?: NonNullable<Json>
          created_at?: string
          email?: string | null
          email_key?: never
          first_name?: string | null
          id?: string
          job_title?: string | null
          last_name?: string | null
          last_visit_at?: string | null
          location_id?: string | null
          loyalty_tier_id?: string | null
          notes?: string | null
          organization_id?: string
          phone?: string | null
          points?: number
          postal_code?: string | null
          search_text?: never
          sort_name?: never
          sort_visit?: never
          source?: string | null
          spend_is_estimate?: boolean
          tags?: string[]
          total_spend?: number
          total_visits?: number
          updated_at?: string
          whatsapp_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'customers_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'customers_loyalty_tier_id_fkey'
            columns: ['loyalty_tier_id']
            isOneToOne: false
            referencedRelation: 'loyalty_tiers'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'customers_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      dining_tables: {
        Row: {
          capacity: number | null
          is_active: boolean
          location_id: string
          name: string
          organization_id: string
          zone: string | null
        }
        ComputedFields: never
        Insert: {
          capacity?: number | null
          is_active?: boolean
          location_id: string
          name: string
          organization_id: string
          zone?: string | null
        }
        Update: {
          capacity?: number | null
          is_active?: boolean
          location_id?: string
          name?: string
          organization_id?: string
          zone?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'dining_tables_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'dining_tables_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      email_images: {
        Row: {
          bytes: number
          content_type: string
          created_at: string
          height: number
          id: string
          name: string
          organization_id: string
          path: string
          width: number
        }
        ComputedFields: never
        Insert: {
          bytes: number
          content_type: string
          created_at?: string
          height: number
          id?: string
          name: string
          organization_id: string
          path: string
          width: number
        }
        Update: {
          bytes?: number
          content_type?: string
          created_at?: string
          height?: number
          id?: string
          name?: string
          organization_id?: string
          path?: string
          width?: number
        }
        Relationships: [
          {
            foreignKeyName: 'email_images_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      email_looks: {
        Row: {
          brand_id: string | null
          button_color: string | null
          color: string | null
          footer: string | null
          from_email: string | null
          id: string
          logo: string | null
          organization_id: string
          reply_to: string | null
          sender_name: string | null
          updated_at: string
        }
        ComputedFields: never
        Insert: {
          brand_id?: string | null
          button_color?: string | null
          color?: string | null
          footer?: string | null
          from_email?: string | null
          id?: string
          logo?: string | null
          organization_id: string
          reply_to?: string | null
          sender_name?: string | null
          updated_at?: string
        }
        Update: {
          brand_id?: string | null
          button_color?: string | null
          color?: string | null
          footer?: string | null
          from_email?: string | null
          id?: string
          logo?: string | null
          organization_id?: string
          reply_to?: string | null
          sender_name?: string | null
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: 'email_looks_brand_id_fkey'
            columns: ['brand_id']
            isOneToOne: false
            referencedRelation: 'brands'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'email_looks_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      email_templates: {
        Row: {
          created_at: string
          design: NonNullable<Json>
          id: string
          name: string
          organization_id: string
          updated_at: string
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          design: NonNullable<Json>
          id?: string
          name: string
          organization_id: string
          updated_at?: string
        }
        Update: {
          created_at?: string
          design?: NonNullable<Json>
          id?: string
          name?: string
          organization_id?: string
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: 'email_templates_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      feedback: {
        Row: {
          answered_at: string
          changed_at: string | null
          customer_id: string | null
          id: string
          language: string
          location_id: string
          organization_id: string
          replied_at: string | null
          replied_by: string | null
          reply: string | null
          reply_message_id: string | null
          reservation_id: string
          score: number
          ticket_id: string | null
          ticket_opened_at: string | null
          words: string | null
        }
        ComputedFields: never
        Insert: {
          answered_at: string
          changed_at?: string | null
          customer_id?: string | null
          id?: string
          language: string
          location_id: string
          organization_id: string
          replied_at?: string | null
          replied_by?: string | null
          reply?: string | null
          reply_message_id?: string | null
          reservation_id: string
          score: number
          ticket_id?: string | null
          ticket_opened_at?: string | null
          words?: string | null
        }
        Update: {
          answered_at?: string
          changed_at?: string | null
          customer_id?: string | null
          id?: string
          language?: string
          location_id?: string
          organization_id?: string
          replied_at?: string | null
          replied_by?: string | null
          reply?: string | null
          reply_message_id?: string | null
          reservation_id?: string
          score?: number
          ticket_id?: string | null
          ticket_opened_at?: string | null
          words?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'feedback_customer_id_fkey'
            columns: ['customer_id']
            isOneToOne: false
            referencedRelation: 'customers'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'feedback_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'feedback_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'feedback_reply_message_id_fkey'
            columns: ['reply_message_id']
            isOneToOne: false
            referencedRelation: 'messages'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'feedback_reservation_id_fkey'
            columns: ['reservation_id']
            isOneToOne: true
            referencedRelation: 'reservations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'feedback_ticket_id_fkey'
            columns: ['ticket_id']
            isOneToOne: false
            referencedRelation: 'tickets'
            referencedColumns: ['id']
          },
        ]
      }
      identity_pairs: {
        Row: {
          certain: boolean
          first_id: string
          organization_id: string
          probability: number
          reasons: NonNullable<Json>
          scored_at: string
          second_id: string
        }
        ComputedFields: never
        Insert: {
          certain?: boolean
          first_id: string
          organization_id: string
          probability: number
          reasons: NonNullable<Json>
          scored_at?: string
          second_id: string
        }
        Update: {
          certain?: boolean
          first_id?: string
          organization_id?: string
          probability?: number
          reasons?: NonNullable<Json>
          scored_at?: string
          second_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'identity_pairs_first_id_fkey'
            columns: ['first_id']
            isOneToOne: false
            referencedRelation: 'customers'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'identity_pairs_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'identity_pairs_second_id_fkey'
            columns: ['second_id']
            isOneToOne: false
            referencedRelation: 'customers'
            referencedColumns: ['id']
          },
        ]
      }
      identity_settings: {
        Row: {
          certain: number
          learned_at: string | null
          learned_from: number
          likely: number
          organization_id: string
          prior: number
          queued_to: string | null
        }
        ComputedFields: never
        Insert: {
          certain?: number
          learned_at?: string | null
          learned_from?: number
          likely?: number
          organization_id: string
          prior?: number
          queued_to?: string | null
        }
        Update: {
          certain?: number
          learned_at?: string | null
          learned_from?: number
          likely?: number
          organization_id?: string
          prior?: number
          queued_to?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'identity_settings_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: true
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      identity_weights: {
        Row: {
          field: string
          label: string
          learned_at: string
          level: number
          m: number
          organization_id: string
          u: number
        }
        ComputedFields: never
        Insert: {
          field: string
          label: string
          learned_at?: string
          level: number
          m: number
          organization_id: string
          u: number
        }
        Update: {
          field?: string
          label?: string
          learned_at?: string
          level?: number
          m?: number
          organization_id?: string
          u?: number
        }
        Relationships: [
          {
            foreignKeyName: 'identity_weights_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      import_runs: {
        Row: {
          consent: string
          created: number
          error_count: number
          errors: NonNullable<Json>
          failed_row_count: number
          failed_rows: Json | null
          file_name: string
          finished_at: string | null
          id: string
          imported: number
          incomplete: number
          location_id: string | null
          organization_id: string
          processed: number
          profile_id: string | null
          repeated: number
          started_at: string
          status: string
          total: number
          updated: number
        }
        ComputedFields: never
        Insert: {
          consent?: string
          created?: number
          error_count?: number
          errors?: NonNullable<Json>
          failed_row_count?: number
          failed_rows?: Json | null
          file_name: string
          finished_at?: string | null
          id?: string
          imported?: number
          incomplete?: number
          location_id?: string | null
          organization_id: string
          processed?: number
          profile_id?: string | null
          repeated?: number
          started_at?: string
          status?: string
          total?: number
          updated?: number
        }
        Update: {
          consent?: string
          created?: number
          error_count?: number
          errors?: NonNullable<Json>
          failed_row_count?: number
          failed_rows?: Json | null
          file_name?: string
          finished_at?: string | null
          id?: string
          imported?: number
          incomplete?: number
          location_id?: string | null
          organization_id?: string
          processed?: number
          profile_id?: string | null
          repeated?: number
          started_at?: string
          status?: string
          total?: number
          updated?: number
        }
        Relationships: [
          {
            foreignKeyName: 'import_runs_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'import_runs_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'import_runs_profile_id_fkey'
            columns: ['profile_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      integration_configs: {
        Row: {
          address: string
          config: NonNullable<Json>
          created_at: string
          id: string
          integration_type: string
          is_enabled: boolean
          organization_id: string
          secrets: NonNullable<Json>
          updated_at: string
        }
        ComputedFields: never
        Insert: {
          address?: string
          config?: NonNullable<Json>
          created_at?: string
          id?: string
          integration_type: string
          is_enabled?: boolean
          organization_id: string
          secrets?: NonNullable<Json>
          updated_at?: string
        }
        Update: {
          address?: string
          config?: NonNullable<Json>
          created_at?: string
          id?: string
          integration_type?: string
          is_enabled?: boolean
          organization_id?: string
          secrets?: NonNullable<Json>
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: 'integration_configs_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      integration_tests: {
        Row: {
          kind: string
          organization_id: string
          reason: string | null
          tested_at: string
          tested_by: string | null
        }
        ComputedFields: never
        Insert: {
          kind: string
          organization_id: string
          reason?: string | null
          tested_at?: string
          tested_by?: string | null
        }
        Update: {
          kind?: string
          organization_id?: string
          reason?: string | null
          tested_at?: string
          tested_by?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'integration_tests_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'integration_tests_tested_by_fkey'
            columns: ['tested_by']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      invitations: {
        Row: {
          accepted_at: string | null
          claimed_by: string | null
          created_at: string
          email: string
          expires_at: string
          full_name: string | null
          id: string
          invited_by: string[]
          location_ids: string[]
          mail: string | null
          organization_id: string
          role: string
          token_hash: string | null
        }
        ComputedFields: never
        Insert: {
          accepted_at?: string | null
          claimed_by?: string | null
          created_at?: string
          email: string
          expires_at?: string
          full_name?: string | null
          id?: string
          invited_by?: string[]
          location_ids?: string[]
          mail?: string | null
          organization_id: string
          role: string
          token_hash?: string | null
        }
        Update: {
          accepted_at?: string | null
          claimed_by?: string | null
          created_at?: string
          email?: string
          expires_at?: string
          full_name?: string | null
          id?: string
          invited_by?: string[]
          location_ids?: string[]
          mail?: string | null
          organization_id?: string
          role?: string
          token_hash?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'invitations_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      job_leases: {
        Row: {
          expires_at: string
          holder: string
          name: string
        }
        ComputedFields: never
        Insert: {
          expires_at: string
          holder: string
          name: string
        }
        Update: {
          expires_at?: string
          holder?: string
          name?: string
        }
        Relationships: []
      }
      job_runs: {
        Row: {
          finished_at: string | null
          id: string
          job: string
          organization_id: string | null
          result: NonNullable<Json>
          started_at: string
          status: string
        }
        ComputedFields: never
        Insert: {
          finished_at?: string | null
          id?: string
          job: string
          organization_id?: string | null
          result?: NonNullable<Json>
          started_at?: string
          status?: string
        }
        Update: {
          finished_at?: string | null
          id?: string
          job?: string
          organization_id?: string | null
          result?: NonNullable<Json>
          started_at?: string
          status?: string
        }
        Relationships: [
          {
            foreignKeyName: 'job_runs_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      locations: {
        Row: {
          address: string | null
          ahead_tried_at: string | null
          ahead_until: string | null
          average_spend_per_guest: number | null
          brand_id: string | null
          city: string | null
          count_unmarked_visits: boolean
          created_at: string
          id: string
          is_active: boolean
          known_from: string | null
          known_until: string | null
          looked_ahead_at: string | null
          name: string
          organization_id: string
          pms_id: string | null
          recount_from: string | null
          refresh_from: string | null
          sync_failing_since: string | null
          sync_failure: string | null
          synced_at: string | null
          timezone: string
        }
        ComputedFields: never
        Insert: {
          address?: string | null
          ahead_tried_at?: string | null
          ahead_until?: string | null
          average_spend_per_guest?: number | null
          brand_id?: string | null
          city?: string | null
          count_unmarked_visits?: boolean
          created_at?: string
          id?: string
          is_active?: boolean
          known_from?: string | null
          known_until?: string | null
          looked_ahead_at?: string | null
          name: string
          organization_id: string
          pms_id?: string | null
          recount_from?: string | null
          refresh_from?: string | null
          sync_failing_since?: string | null
          sync_failure?: string | null
          synced_at?: string | null
          timezone?: string
        }
        Update: {
          address?: string | null
          ahead_tried_at?: string | null
          ahead_until?: string | null
          average_spend_per_guest?: number | null
          brand_id?: string | null
          city?: string | null
          count_unmarked_visits?: boolean
          created_at?: string
          id?: string
          is_active?: boolean
          known_from?: string | null
          known_until?: string | null
          looked_ahead_at?: string | null
          name?: string
          organization_id?: string
          pms_id?: string | null
          recount_from?: string | null
          refresh_from?: string | null
          sync_failing_since?: string | null
          sync_failure?: string | null
          synced_at?: string | null
          timezone?: string
        }
        Relationships: [
          {
            foreignKeyName: 'locations_brand_id_fkey'
            columns: ['brand_id']
            isOneToOne: false
            referencedRelation: 'brands'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'locations_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      loyalty_configs: {
        Row: {
          organization_id: string
          tiers: NonNullable<Json>
          updated_at: string
        }
        ComputedFields: never
        Insert: {
          organization_id: string
          tiers: NonNullable<Json>
          updated_at?: string
        }
        Update: {
          organization_id?: string
          tiers?: NonNullable<Json>
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: 'loyalty_configs_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: true
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      loyalty_points: {
        Row: {
          amount: number | null
          author: string | null
          author_name: string | null
          created_at: string
          customer_id: string
          id: string
          kind: string
          multiplier: number | null
          organization_id: string
          points: number
          reason: string | null
          reservation_id: string | null
        }
        ComputedFields: never
        Insert: {
          amount?: number | null
          author?: string | null
          author_name?: string | null
          created_at?: string
          customer_id: string
          id?: string
          kind: string
          multiplier?: number | null
          organization_id: string
          points: number
          reason?: string | null
          reservation_id?: string | null
        }
        Update: {
          amount?: number | null
          author?: string | null
          author_name?: string | null
          created_at?: string
          customer_id?: string
          id?: string
          kind?: string
          multiplier?: number | null
          organization_id?: string
          points?: number
          reason?: string | null
          reservation_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'loyalty_points_author_fkey'
            columns: ['author']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'loyalty_points_customer_id_fkey'
            columns: ['customer_id']
            isOneToOne: false
            referencedRelation: 'customers'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'loyalty_points_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'loyalty_points_reservation_id_fkey'
            columns: ['reservation_id']
            isOneToOne: false
            referencedRelation: 'reservations'
            referencedColumns: ['id']
          },
        ]
      }
      loyalty_rules: {
        Row: {
          location_id: string
          min_spend: number
          min_visits: number
          tier_id: string
          updated_at: string
        }
        ComputedFields: never
        Insert: {
          location_id: string
          min_spend?: number
          min_visits?: number
          tier_id: string
          updated_at?: string
        }
        Update: {
          location_id?: string
          min_spend?: number
          min_visits?: number
          tier_id?: string
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: 'loyalty_rules_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'loyalty_rules_tier_id_fkey'
            columns: ['tier_id']
            isOneToOne: false
            referencedRelation: 'loyalty_tiers'
            referencedColumns: ['id']
          },
        ]
      }
      loyalty_tiers: {
        Row: {
          created_at: string
          id: string
          name: string
          organization_id: string
          points_multiplier: number
          rank: number
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          id?: string
          name: string
          organization_id: string
          points_multiplier?: number
          rank: number
        }
        Update: {
          created_at?: string
          id?: string
          name?: string
          organization_id?: string
          points_multiplier?: number
          rank?: number
        }
        Relationships: [
          {
            foreignKeyName: 'loyalty_tiers_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      message_engagement: {
        Row: {
          actor: string
          first_at: string
          kind: string
          link: string
          message_id: string
          times: number
        }
        ComputedFields: never
        Insert: {
          actor: string
          first_at: string
          kind: string
          link: string
          message_id: string
          times: number
        }
        Update: {
          actor?: string
          first_at?: string
          kind?: string
          link?: string
          message_id?: string
          times?: number
        }
        Relationships: [
          {
            foreignKeyName: 'message_engagement_message_id_fkey'
            columns: ['message_id']
            isOneToOne: false
            referencedRelation: 'messages'
            referencedColumns: ['id']
          },
        ]
      }
      messages: {
        Row: {
          about_id: string | null
          about_type: string | null
          attempts: number
          automation_id: string | null
          channel: string
          content: NonNullable<Json>
          created_at: string
          customer_id: string | null
          dedupe_key: string
          delivered_at: string | null
          frozen_at: string | null
          id: string
          idempotency_key: string | null
          kind: string
          lease_token: string | null
          lease_until: string | null
          location_id: string | null
          maybe_accepted: boolean
          not_before: string
          organization_id: string
          provider: string | null
          provider_id: string | null
          purpose: string
          reason: string | null
          recipient: string | null
          reservation_id: string | null
          run_id: string | null
          sent_at: string | null
          simulated: boolean
          status: string
          updated_at: string
        }
        ComputedFields: never
        Insert: {
          about_id?: string | null
          about_type?: string | null
          attempts?: number
          automation_id?: string | null
          channel: string
          content?: NonNullable<Json>
          created_at?: string
          customer_id?: string | null
          dedupe_key: string
          delivered_at?: string | null
          frozen_at?: string | null
          id?: string
          idempotency_key?: string | null
          kind: string
          lease_token?: string | null
          lease_until?: string | null
          location_id?: string | null
          maybe_accepted?: boolean
          not_before?: string
          organization_id: string
          provider?: string | null
          provider_id?: string | null
          purpose: string
          reason?: string | null
          recipient?: string | null
          reservation_id?: string | null
          run_id?: string | null
          sent_at?: string | null
          simulated?: never
          status?: string
          updated_at?: string
        }
        Update: {
          about_id?: string | null
          about_type?: string | null
          attempts?: number
          automation_id?: string | null
          channel?: string
          content?: NonNullable<Json>
          created_at?: string
          customer_id?: string | null
          dedupe_key?: string
          delivered_at?: string | null
          frozen_at?: string | null
          id?: string
          idempotency_key?: string | null
          kind?: string
          lease_token?: string | null
          lease_until?: string | null
          location_id?: string | null
          maybe_accepted?: boolean
          not_before?: string
          organization_id?: string
          provider?: string | null
          provider_id?: string | null
          purpose?: string
          reason?: string | null
          recipient?: string | null
          reservation_id?: string | null
          run_id?: string | null
          sent_at?: string | null
          simulated?: never
          status?: string
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: 'messages_automation_id_fkey'
            columns: ['automation_id']
            isOneToOne: false
            referencedRelation: 'automations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'messages_customer_id_fkey'
            columns: ['customer_id']
            isOneToOne: false
            referencedRelation: 'customers'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'messages_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'messages_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'messages_reservation_id_fkey'
            columns: ['reservation_id']
            isOneToOne: false
            referencedRelation: 'reservations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'messages_run_id_fkey'
            columns: ['run_id']
            isOneToOne: false
            referencedRelation: 'automation_runs'
            referencedColumns: ['id']
          },
        ]
      }
      organizations: {
        Row: {
          ai_daily_calls: number
          ai_daily_calls_per_person: number
          ai_daily_tokens: number
          ai_daily_tokens_per_person: number
          approve_above: number | null
          campaign_approve_above: number | null
          control_share: number
          created_at: string
          frequency_cap_days: number
          horizon_days: number | null
          id: string
          keep_automation_runs_days: number
          keep_failed_rows_days: number
          keep_job_runs_days: number
          keep_webhook_receipts_days: number
          limit_marketing_to_roles: boolean
          name: string
          offer_tables_minutes: number | null
          pending: NonNullable<Json>
          quiet_from: string
          quiet_until: string
          require_second_factor: boolean
          sending_stopped_at: string | null
          sending_stopped_by: string | null
          show_setup: boolean
          slug: string
          sms_price: number | null
          timezone: string
        }
        ComputedFields: never
        Insert: {
          ai_daily_calls?: number
          ai_daily_calls_per_person?: number
          ai_daily_tokens?: number
          ai_daily_tokens_per_person?: number
          approve_above?: number | null
          campaign_approve_above?: number | null
          control_share?: number
          created_at?: string
          frequency_cap_days?: number
          horizon_days?: number | null
          id?: string
          keep_automation_runs_days?: number
          keep_failed_rows_days?: number
          keep_job_runs_days?: number
          keep_webhook_receipts_days?: number
          limit_marketing_to_roles?: boolean
          name: string
          offer_tables_minutes?: number | null
          pending?: NonNullable<Json>
          quiet_from?: string
          quiet_until?: string
          require_second_factor?: boolean
          sending_stopped_at?: string | null
          sending_stopped_by?: string | null
          show_setup?: boolean
          slug: string
          sms_price?: number | null
          timezone?: string
        }
        Update: {
          ai_daily_calls?: number
          ai_daily_calls_per_person?: number
          ai_daily_tokens?: number
          ai_daily_tokens_per_person?: number
          approve_above?: number | null
          campaign_approve_above?: number | null
          control_share?: number
          created_at?: string
          frequency_cap_days?: number
          horizon_days?: number | null
          id?: string
          keep_automation_runs_days?: number
          keep_failed_rows_days?: number
          keep_job_runs_days?: number
          keep_webhook_receipts_days?: number
          limit_marketing_to_roles?: boolean
          name?: string
          offer_tables_minutes?: number | null
          pending?: NonNullable<Json>
          quiet_from?: string
          quiet_until?: string
          require_second_factor?: boolean
          sending_stopped_at?: string | null
          sending_stopped_by?: string | null
          show_setup?: boolean
          slug?: string
          sms_price?: number | null
          timezone?: string
        }
        Relationships: []
      }
      profile_locations: {
        Row: {
          location_id: string
          profile_id: string
        }
        ComputedFields: never
        Insert: {
          location_id: string
          profile_id: string
        }
        Update: {
          location_id?: string
          profile_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'profile_locations_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'profile_locations_profile_id_fkey'
            columns: ['profile_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      profiles: {
        Row: {
          created_at: string
          email: string
          full_name: string | null
          id: string
          morning_mail_hour: number | null
          organization_id: string
          role: string
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          email: string
          full_name?: string | null
          id: string
          morning_mail_hour?: number | null
          organization_id: string
          role: string
        }
        Update: {
          created_at?: string
          email?: string
          full_name?: string | null
          id?: string
          morning_mail_hour?: number | null
          organization_id?: string
          role?: string
        }
        Relationships: [
          {
            foreignKeyName: 'profiles_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      push_subscriptions: {
        Row: {
          auth: string
          browser: string | null
          created_at: string
          endpoint: string
          id: string
          kinds: string[]
          language: string
          last_success_at: string | null
          organization_id: string
          p256dh: string
          profile_id: string
          session_id: string
          system: string | null
        }
        ComputedFields: never
        Insert: {
          auth: string
          browser?: string | null
          created_at?: string
          endpoint: string
          id?: string
          kinds: string[]
          language?: string
          last_success_at?: string | null
          organization_id: string
          p256dh: string
          profile_id: string
          session_id: string
          system?: string | null
        }
        Update: {
          auth?: string
          browser?: string | null
          created_at?: string
          endpoint?: string
          id?: string
          kinds?: string[]
          language?: string
          last_success_at?: string | null
          organization_id?: string
          p256dh?: string
          profile_id?: string
          session_id?: string
          system?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'push_subscriptions_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'push_subscriptions_profile_id_fkey'
            columns: ['profile_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      rate_limits: {
        Row: {
          hits: number
          key: string
          touched_at: string
          window_start: string
        }
        ComputedFields: never
        Insert: {
          hits: number
          key: string
          touched_at: string
          window_start: string
        }
        Update: {
          hits?: number
          key?: string
          touched_at?: string
          window_start?: string
        }
        Relationships: []
      }
      reservations: {
        Row: {
          arrived_at: string | null
          counts_unmarked: boolean
          created_at: string
          customer_email: string | null
          customer_id: string | null
          customer_name: string | null
          customer_phone: string | null
          erased_at: string | null
          external_id: string | null
          finished_at: string | null
          guest_answer: string | null
          guest_answered_at: string | null
          id: string
          location_id: string
          notes: string | null
          organization_id: string
          party_size: number
          pms_status: string | null
          reservation_date: string
          reservation_time: string
          search_name: string
          seated_at: string | null
          service_date: string
          service_order: string
          service_over: boolean
          source: string
          staff_marks: NonNullable<Json>
          status: string
          table_name: string | null
          total_amount: number | null
          updated_at: string
          visited: boolean | null
          walk_in: boolean
          zone_name: string | null
        }
        ComputedFields: never
        Insert: {
          arrived_at?: string | null
          counts_unmarked?: boolean
          created_at?: string
          customer_email?: string | null
          customer_id?: string | null
          customer_name?: string | null
          customer_phone?: string | null
          erased_at?: string | null
          external_id?: string | null
          finished_at?: string | null
          guest_answer?: string | null
          guest_answered_at?: string | null
          id?: string
          location_id: string
          notes?: string | null
          organization_id: string
          party_size: number
          pms_status?: string | null
          reservation_date: string
          reservation_time: string
          search_name?: never
          seated_at?: string | null
          service_date?: never
          service_order?: never
          service_over?: boolean
          source?: string
          staff_marks?: NonNullable<Json>
          status?: string
          table_name?: string | null
          total_amount?: number | null
          updated_at?: string
          visited?: never
          walk_in?: boolean
          zone_name?: string | null
        }
        Update: {
          arrived_at?: string | null
          counts_unmarked?: boolean
          created_at?: string
          customer_email?: string | null
          customer_id?: string | null
          customer_name?: string | null
          customer_phone?: string | null
          erased_at?: string | null
          external_id?: string | null
          finished_at?: string | null
          guest_answer?: string | null
          guest_answered_at?: string | null
          id?: string
          location_id?: string
          notes?: string | null
          organization_id?: string
          party_size?: number
          pms_status?: string | null
          reservation_date?: string
          reservation_time?: string
          search_name?: never
          seated_at?: string | null
          service_date?: never
          service_order?: never
          service_over?: boolean
          source?: string
          staff_marks?: NonNullable<Json>
          status?: string
          table_name?: string | null
          total_amount?: number | null
          updated_at?: string
          visited?: never
          walk_in?: boolean
          zone_name?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'reservations_customer_id_fkey'
            columns: ['customer_id']
            isOneToOne: false
            referencedRelation: 'customers'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'reservations_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'reservations_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      retired_keys: {
        Row: {
          created_at: string
          id: string
          sealed: string
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          id: string
          sealed: string
        }
        Update: {
          created_at?: string
          id?: string
          sealed?: string
        }
        Relationships: []
      }
      rhythm_models: {
        Row: {
          a: number
          alpha: number
          apply_after: string | null
          b: number
          fitted_at: string | null
          guests: number
          organization_id: string
          r: number
          recency_cuts: number[]
          spend_cuts: number[]
          visit_cuts: number[]
        }
        ComputedFields: never
        Insert: {
          a: number
          alpha: number
          apply_after?: string | null
          b: number
          fitted_at?: string | null
          guests: number
          organization_id: string
          r: number
          recency_cuts: number[]
          spend_cuts: number[]
          visit_cuts: number[]
        }
        Update: {
          a?: number
          alpha?: number
          apply_after?: string | null
          b?: number
          fitted_at?: string | null
          guests?: number
          organization_id?: string
          r?: number
          recency_cuts?: number[]
          spend_cuts?: number[]
          visit_cuts?: number[]
        }
        Relationships: [
          {
            foreignKeyName: 'rhythm_models_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: true
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      segments: {
        Row: {
          created_at: string
          definition: NonNullable<Json>
          id: string
          name: string
          organization_id: string
          owner_id: string | null
          shared: boolean
          updated_at: string
          version: number
        }
        ComputedFields: never
        Insert: {
          created_at?: string
          definition: NonNullable<Json>
          id?: string
          name: string
          organization_id: string
          owner_id?: string | null
          shared?: boolean
          updated_at?: string
          version?: number
        }
        Update: {
          created_at?: string
          definition?: NonNullable<Json>
          id?: string
          name?: string
          organization_id?: string
          owner_id?: string | null
          shared?: boolean
          updated_at?: string
          version?: number
        }
        Relationships: [
          {
            foreignKeyName: 'segments_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'segments_owner_id_fkey'
            columns: ['owner_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      setup_skips: {
        Row: {
          organization_id: string
          skipped_at: string
          skipped_by: string | null
          step: string
        }
        ComputedFields: never
        Insert: {
          organization_id: string
          skipped_at?: string
          skipped_by?: string | null
          step: string
        }
        Update: {
          organization_id?: string
          skipped_at?: string
          skipped_by?: string | null
          step?: string
        }
        Relationships: [
          {
            foreignKeyName: 'setup_skips_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'setup_skips_skipped_by_fkey'
            columns: ['skipped_by']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
        ]
      }
      shift_notes: {
        Row: {
          author_id: string | null
          author_name: string
          body: string
          created_at: string
          day: string
          edited_at: string | null
          id: string
          location_id: string
          organization_id: string
        }
        ComputedFields: never
        Insert: {
          author_id?: string | null
          author_name: string
          body: string
          created_at?: string
          day: string
          edited_at?: string | null
          id?: string
          location_id: string
          organization_id: string
        }
        Update: {
          author_id?: string | null
          author_name?: string
          body?: string
          created_at?: string
          day?: string
          edited_at?: string | null
          id?: string
          location_id?: string
          organization_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'shift_notes_author_id_fkey'
            columns: ['author_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'shift_notes_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'shift_notes_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      shifts: {
        Row: {
          capacity: number | null
          closes: string
          closes_at: number
          id: string
          location_id: string
          name: string
          opens: string
          opens_at: number
          organization_id: string
          weekdays: number[]
        }
        ComputedFields: never
        Insert: {
          capacity?: number | null
          closes: string
          closes_at?: never
          id?: string
          location_id: string
          name: string
          opens: string
          opens_at?: never
          organization_id: string
          weekdays: number[]
        }
        Update: {
          capacity?: number | null
          closes?: string
          closes_at?: never
          id?: string
          location_id?: string
          name?: string
          opens?: string
          opens_at?: never
          organization_id?: string
          weekdays?: number[]
        }
        Relationships: [
          {
            foreignKeyName: 'shifts_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'shifts_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      suppressions: {
        Row: {
          address: string
          author: string | null
          channel: string
          created_at: string
          id: string
          note: string | null
          organization_id: string
          reason: string
        }
        ComputedFields: never
        Insert: {
          address: string
          author?: string | null
          channel: string
          created_at?: string
          id?: string
          note?: string | null
          organization_id: string
          reason: string
        }
        Update: {
          address?: string
          author?: string | null
          channel?: string
          created_at?: string
          id?: string
          note?: string | null
          organization_id?: string
          reason?: string
        }
        Relationships: [
          {
            foreignKeyName: 'suppressions_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      ticket_changes: {
        Row: {
          after: string | null
          author_id: string | null
          author_name: string | null
          before: string | null
          created_at: string
          field: string
          id: string
          ticket_id: string
        }
        ComputedFields: never
        Insert: {
          after?: string | null
          author_id?: string | null
          author_name?: string | null
          before?: string | null
          created_at?: string
          field: string
          id?: string
          ticket_id: string
        }
        Update: {
          after?: string | null
          author_id?: string | null
          author_name?: string | null
          before?: string | null
          created_at?: string
          field?: string
          id?: string
          ticket_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'ticket_changes_author_id_fkey'
            columns: ['author_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'ticket_changes_ticket_id_fkey'
            columns: ['ticket_id']
            isOneToOne: false
            referencedRelation: 'tickets'
            referencedColumns: ['id']
          },
        ]
      }
      ticket_comments: {
        Row: {
          author_id: string | null
          author_name: string
          body: string
          created_at: string
          id: string
          ticket_id: string
        }
        ComputedFields: never
        Insert: {
          author_id?: string | null
          author_name: string
          body: string
          created_at?: string
          id?: string
          ticket_id: string
        }
        Update: {
          author_id?: string | null
          author_name?: string
          body?: string
          created_at?: string
          id?: string
          ticket_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'ticket_comments_author_id_fkey'
            columns: ['author_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'ticket_comments_ticket_id_fkey'
            columns: ['ticket_id']
            isOneToOne: false
            referencedRelation: 'tickets'
            referencedColumns: ['id']
          },
        ]
      }
      tickets: {
        Row: {
          assignee_id: string | null
          changes: number
          created_at: string
          customer_id: string | null
          description: string | null
          id: string
          location_id: string | null
          notified_at: string | null
          notified_changes: number
          number: number
          organization_id: string
          priority: string
          requester_id: string | null
          reservation_id: string | null
          resolved_at: string | null
          search_text: string
          sla_due_at: string
          sla_reminded_at: string | null
          status: string
          subject: string
          updated_at: string
        }
        ComputedFields: never
        Insert: {
          assignee_id?: string | null
          changes?: number
          created_at?: string
          customer_id?: string | null
          description?: string | null
          id?: string
          location_id?: string | null
          notified_at?: string | null
          notified_changes?: number
          number?: number
          organization_id: string
          priority?: string
          requester_id?: string | null
          reservation_id?: string | null
          resolved_at?: string | null
          search_text?: never
          sla_due_at?: string
          sla_reminded_at?: string | null
          status?: string
          subject: string
          updated_at?: string
        }
        Update: {
          assignee_id?: string | null
          changes?: number
          created_at?: string
          customer_id?: string | null
          description?: string | null
          id?: string
          location_id?: string | null
          notified_at?: string | null
          notified_changes?: number
          number?: number
          organization_id?: string
          priority?: string
          requester_id?: string | null
          reservation_id?: string | null
          resolved_at?: string | null
          search_text?: never
          sla_due_at?: string
          sla_reminded_at?: string | null
          status?: string
          subject?: string
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: 'tickets_assignee_id_fkey'
            columns: ['assignee_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'tickets_customer_id_fkey'
            columns: ['customer_id']
            isOneToOne: false
            referencedRelation: 'customers'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'tickets_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'tickets_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'tickets_requester_id_fkey'
            columns: ['requester_id']
            isOneToOne: false
            referencedRelation: 'profiles'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'tickets_reservation_id_fkey'
            columns: ['reservation_id']
            isOneToOne: false
            referencedRelation: 'reservations'
            referencedColumns: ['id']
          },
        ]
      }
      waitlist: {
        Row: {
          called_at: string | null
          ended_at: string | null
          id: string
          joined_at: string
          location_id: string
          message_id: string | null
          name: string
          notes: string | null
          organization_id: string
          outcome: string | null
          party_size: number
          phone: string | null
          quoted_minutes: number | null
        }
        ComputedFields: never
        Insert: {
          called_at?: string | null
          ended_at?: string | null
          id?: string
          joined_at?: string
          location_id: string
          message_id?: string | null
          name: string
          notes?: string | null
          organization_id: string
          outcome?: string | null
          party_size: number
          phone?: string | null
          quoted_minutes?: number | null
        }
        Update: {
          called_at?: string | null
          ended_at?: string | null
          id?: string
          joined_at?: string
          location_id?: string
          message_id?: string | null
          name?: string
          notes?: string | null
          organization_id?: string
          outcome?: string | null
          party_size?: number
          phone?: string | null
          quoted_minutes?: number | null
        }
        Relationships: [
          {
            foreignKeyName: 'waitlist_location_id_fkey'
            columns: ['location_id']
            isOneToOne: false
            referencedRelation: 'locations'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'waitlist_message_id_fkey'
            columns: ['message_id']
            isOneToOne: false
            referencedRelation: 'messages'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'waitlist_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      webhook_calls: {
        Row: {
          heard_at: string | null
          organization_id: string
          provider: string
          refused_at: string | null
        }
        ComputedFields: never
        Insert: {
          heard_at?: string | null
          organization_id: string
          provider: string
          refused_at?: string | null
        }
        Update: {
          heard_at?: string | null
          organization_id?: string
          provider?: string
          refused_at?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'webhook_calls_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      webhook_receipts: {
        Row: {
          opens: boolean
          organization_id: string
          receipt: string
          received_at: string
        }
        ComputedFields: never
        Insert: {
          opens?: boolean
          organization_id: string
          receipt: string
          received_at?: string
        }
        Update: {
          opens?: boolean
          organization_id?: string
          receipt?: string
          received_at?: string
        }
        Relationships: [
          {
            foreignKeyName: 'webhook_receipts_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
      whatsapp_windows: {
        Row: {
          address: string
          last_inbound_at: string
          organization_id: string
          whatsapp_id: string | null
        }
        ComputedFields: never
        Insert: {
          address: string
          last_inbound_at: string
          organization_id: string
          whatsapp_id?: string | null
        }
        Update: {
          address?: string
          last_inbound_at?: string
          organization_id?: string
          whatsapp_id?: string | null
        }
        Relationships: [
          {
            foreignKeyName: 'whatsapp_windows_organization_id_fkey'
            columns: ['organization_id']
            isOneToOne: false
            referencedRelation: 'organizations'
            referencedColumns: ['id']
          },
        ]
      }
    }
    Views: {
      [_ in never]: never
    }
    Functions: {
      accept_invitation: { Args: { p_token: string }; Returns: boolean }
      acquire_lease: { Args: { p_holder: string; p_name: string; p_seconds: number }; Returns: boolean }
      add_shift_note: {
        Args: { p_body: string; p_day?: string; p_location: string; p_now?: string }
        Returns: Json
      }
      add_ticket_comment: { Args: { p_body: string; p_ticket: string }; Returns: Json }
      ai_use_today: { Args: { p_now?: string }; Returns: Json }
      apply_due_limits: { Args: { p_now?: string }; Returns: number }
      apply_rhythm_model: { Args: { p_limit?: number; p_organization: string }; Returns: boolean }
      assistant_context: { Args: { p_now?: string }; Returns: Json }
      authorize_run: { Args: { p_automation: string; p_run?: string }; Returns: string }
      automation_results: {
        Args: { p_since: string }
        Returns: {
          automation_id: string
          channel: string
          delivered: number
          failed: number
          last_run_at: string
          name: string
          runs: number
          sent: number
          simulated: number
          skipped: number
          status: string
          type: string
        }[]
      }
      automations_overview: {
        Args: {
          p_automations: string[]
          p_from: string
          p_locations?: string[]
          p_organization: string
          p_to: string
        }
        Returns: Json
      }
      begin_job: {
        Args: {
          p_holder: string
          p_hour?: number
          p_job: string
          p_now?: string
          p_organization: string
          p_seconds: number
        }
        Returns: string
      }
      begin_keyed_request: {
        Args: {
          p_body_hash: string
          p_caller: string
          p_holder: string
          p_key: string
          p_path: string
          p_seconds: number
        }
        Returns: Json
      }
      begin_sign_in: { Args: { p_email: string; p_network: string; p_now?: string }; Returns: number }
      call_waiting: { Args: { p_channels: string[]; p_id: string; p_now?: string }; Returns: Json }
      campaign_score: {
        Args: { p_campaign: string; p_locations?: string[]; p_organization: string }
        Returns: Json
      }
      cancel_held: { Args: { p_limit?: number; p_now?: string; p_organization: string }; Returns: number }
      cancel_import: { Args: { p_import: string }; Returns: string }
      change_identity: { Args: { p_changes: Json }; Returns: string }
      change_member: { Args: { p_changes: Json; p_member: string }; Returns: string }
      change_organization: { Args: { p_changes: Json }; Returns: string }
      change_shift_note: { Args: { p_body?: string; p_id: string; p_now?: string }; Returns: Json }
      check_customer_counts: { Args: { p_organization: string }; Returns: Json }
      check_daily_figures: {
        Args: { p_now?: string; p_organization: string; p_rows?: number }
        Returns: Json
      }
      choose_winner: {
        Args: {
          p_campaign: string
          p_now?: string
          p_organization: string
          p_reason?: string
          p_winner?: string
        }
        Returns: boolean
      }
      claim_code: { Args: { p_hash: string; p_now?: string; p_user: string }; Returns: boolean }
      claim_messages: {
        Args: {
          p_after?: Json
          p_automation?: string
          p_channel: string
          p_connected?: boolean
          p_lease_seconds?: number
          p_limit?: number
          p_links?: boolean
          p_notices?: boolean
          p_now?: string
          p_organization: string
          p_pace?: number
          p_run?: string
        }
        Returns: Json
      }
      claim_push_notices: { Args: { p_limit?: number; p_now?: string; p_only?: string }; Returns: Json }
      claim_recovery_code: { Args: { p_hash: string; p_now?: string; p_user: string }; Returns: boolean }
      close_services: { Args: { p_limit?: number; p_now?: string; p_organization: string }; Returns: boolean }
      count_customers: { Args: { p_filters?: Json; p_most?: number; p_now?: string }; Returns: number }
      count_duplicates: { Args: { p_above: number; p_certain: boolean; p_most?: number }; Returns: Json }
      customer_belongings: {
        Args: { p_ids: string[] }
        Returns: {
          calendar_events: number
          customer_id: string
          messages: number
          reservations: number
          tickets: number
        }[]
      }
      customer_duplicates: {
        Args: {
          p_above?: number
          p_after_first?: string
          p_after_probability?: number
          p_after_second?: string
          p_certain?: boolean
          p_limit?: number
        }
        Returns: Json
      }
      customer_habits: {
        Args: { p_customer: string; p_now?: string }
        Returns: {
          first_date: string
          next_date: string
          next_location: string
          next_location_id: string
          next_party_size: number
          next_reservation: string
          next_service_date: string
          next_time: string
          no_shows: number
          past: number
          return_probability: number
          rhythm: string
          usual_days: number
          usual_location: string
          usual_table: string
          usual_table_location: string
          usual_weekday: number
        }[]
      }
      customer_matches: { Args: { p_id?: string; p_person: Json }; Returns: Json }
      customer_tags: {
        Args: { p_limit?: number }
        Returns: {
          customers: number
          tag: string
        }[]
      }
      customer_timeline: {
        Args: {
          p_before?: string
          p_before_id?: string
          p_customer: string
          p_kinds?: string[]
          p_limit?: number
        }
        Returns: {
          at: string
          details: Json
          id: string
          kind: string
        }[]
      }
      customers_to_know: {
        Args: { p_limit?: number; p_location?: string; p_now?: string }
        Returns: {
          allergy: boolean
          away: boolean
          birthday_in: number
          customer_id: string
          customer_name: string
          facts: Json
          first_visit: boolean
          found: number
          last_visit_at: string
          location_id: string
          location_name: string
          no_shows: number
          notes: string
          party_size: number
          reservation_id: string
          reservation_time: string
          status: string
          tier: string
          vip: boolean
        }[]
      }
      daily_summary: {
        Args: { p_from: string; p_location?: string; p_search?: string[]; p_source?: string; p_to: string }
        Returns: {
          cancelled: number
          covers: number
          location_id: string
          no_shows: number
          reservations: number
          service_date: string
        }[]
      }
      decide_limit: { Args: { p_approve: boolean; p_name: string; p_since?: string }; Returns: string }
      decide_run: { Args: { p_approve: boolean; p_guests?: number; p_run: string }; Returns: string }
      delete_brand: { Args: { p_brand: string }; Returns: string }
      delete_calendar_event: { Args: { p_id: string; p_scope?: string }; Returns: boolean }
      delete_campaign: { Args: { p_campaign: string; p_organization: string }; Returns: string }
      delete_email_image: { Args: { p_id: string; p_organization: string }; Returns: string }
      delete_location: { Args: { p_location: string }; Returns: string }
      delete_segment: { Args: { p_id: string }; Returns: Json }
      delete_ticket: { Args: { p_id: string }; Returns: boolean }
      discard_api_token: { Args: { p_id: string }; Returns: undefined }
      due_campaigns: { Args: { p_now?: string; p_organization: string }; Returns: Json }
      end_export: { Args: { p_export: string; p_rows: number }; Returns: boolean }
      end_job: {
        Args: { p_holder: string; p_result: Json; p_run: string; p_status: string }
        Returns: undefined
      }
      end_keyed_request: {
        Args: {
          p_answer: string
          p_caller: string
          p_holder: string
          p_key: string
          p_path: string
          p_status: number
        }
        Returns: undefined
      }
      end_member_sessions: { Args: { p_member: string }; Returns: string }
      end_my_session: { Args: { p_session: string }; Returns: boolean }
      end_my_sessions: { Args: { p_which: string }; Returns: boolean }
      end_sessions_of: { Args: { p_user: string }; Returns: undefined }
      end_sign_in: {
        Args: { p_email: string; p_network: string; p_now?: string; p_outcome: string }
        Returns: undefined
      }
      end_waiting: {
        Args: { p_id: string; p_now?: string; p_outcome: string; p_table?: string }
        Returns: Json
      }
      enqueue_run: {
        Args: {
          p_automation: string
          p_closed?: Json
          p_limit?: number
          p_now?: string
          p_organization: string
          p_person?: string
          p_run?: string
          p_triggered_by: string
        }
        Returns: Json
      }
      erase_customer: { Args: { p_id: string }; Returns: string }
      export_customer: { Args: { p_id: string }; Returns: Json }
      export_customers: {
        Args: {
          p_after_id?: string
          p_after_key?: string
          p_export: string
          p_filters?: Json
          p_limit?: number
          p_now?: string
          p_sort?: string
        }
        Returns: Json
      }
      feedback_scores: {
        Args: { p_from: string; p_location?: string; p_to: string }
        Returns: {
          answers: number
          location: string
          location_id: string
          score: number
          with_words: number
        }[]
      }
      feedback_survey: { Args: { p_message: string; p_now?: string }; Returns: Json }
      feedback_trend: {
        Args: { p_location?: string; p_now?: string }
        Returns: {
          answers: number
          average: number
          location: string
          location_id: string
          week: string
        }[]
      }
      finish_messages: { Args: { p_now?: string; p_results: Json }; Returns: number }
      finish_push_notices: { Args: { p_now?: string; p_results: Json }; Returns: undefined }
      finished_nightly: {
        Args: { p_hour: number; p_now: string }
        Returns: {
          job: string
          organization_id: string
        }[]
      }
      fold_figures: { Args: { p_limit?: number }; Returns: boolean }
      forget_second_factor: {
        Args: { p_now?: string; p_session: string; p_user: string }
        Returns: undefined
      }
      freeze_messages: { Args: { p_contents: Json; p_now?: string }; Returns: Json }
      guest_allergies: {
        Args: { p_customers: string[] }
        Returns: {
          code: string
          customer_id: string
          note: string
        }[]
      }
      guest_card: { Args: { p_customer: string }; Returns: Json }
      hand_over_link: { Args: { p_made?: boolean; p_member: string }; Returns: string }
      import_customers: { Args: { p_import: string; p_rows: Json }; Returns: Json }
      import_links: {
        Args: { p_emails: string[]; p_organization: string; p_phones: string[] }
        Returns: Json
      }
      installation_state: { Args: Record<PropertyKey, never>; Returns: Json }
      invite_member: {
        Args: {
          p_email: string
          p_full_name: string
          p_locations: string[]
          p_role: string
          p_token_hash: string
        }
        Returns: Json
      }
      job_results: {
        Args: { p_runs: string[] }
        Returns: {
          id: string
          result: Json
        }[]
      }
      join_waitlist: { Args: { p_entry: Json; p_location: string; p_now?: string }; Returns: string }
      judge_duplicates: { Args: { p_different: boolean; p_id: string; p_others: string[] }; Returns: string }
      keep_no_show_rates: { Args: { p_now?: string }; Returns: boolean }
      keep_recovery_codes: { Args: { p_hashes: string[]; p_user: string }; Returns: undefined }
      last_local_hour: { Args: { p_hour: number; p_now?: string; p_organization: string }; Returns: string }
      last_sync: { Args: Record<PropertyKey, never>; Returns: Json }
      launch_campaign: {
        Args: {
          p_campaign: string
          p_closed?: Json
          p_guests: number
          p_locations?: string[]
          p_now?: string
          p_organization: string
          p_person: string
          p_version: number
        }
        Returns: string
      }
      learn_identity_weights: { Args: { p_organization: string; p_step?: number }; Returns: Json }
      lift_sign_in_lock: { Args: { p_email: string; p_network: string; p_now?: string }; Returns: undefined }
      lifts_of_automations: {
        Args: { p_automations: string[]; p_locations?: string[]; p_now: string; p_organization: string }
        Returns: Json
      }
      link_whatsapp: {
        Args: { p_organization: string; p_phone: string; p_whatsapp_id: string }
        Returns: undefined
      }
      list_api_tokens: {
        Args: { p_after_at?: string; p_after_id?: string; p_id?: string; p_limit?: number }
        Returns: {
          created_at: string
          created_by: string
          expires_at: string
          id: string
          last_used_at: string
          location_ids: string[]
          name: string
          permissions: string[]
          revoked_at: string
        }[]
      }
      list_audit_log: {
        Args: { p_before?: string; p_before_id?: string; p_filters?: Json; p_limit?: number }
        Returns: {
          action: string
          actor: string
          after: Json
          at: string
          before: Json
          id: string
          subject: string
          subject_id: string
          subject_type: string
        }[]
      }
      list_calendar_events: {
        Args: { p_after_id?: string; p_after_key?: string; p_filters?: Json; p_id?: string; p_limit?: number }
        Returns: {
          assignee_id: string
          assignee_name: string
          created_at: string
          created_by: string
          customer_id: string
          description: string
          ends_at: string
          ends_on: string
          event_datetime: string
          id: string
          location_id: string
          notification_sent: boolean
          reminder_minutes: number
          reminder_sent: boolean
          repeat: Json
          series_id: string
          starts_on: string
          title: string
        }[]
      }
      list_campaigns: {
        Args: { p_before?: string; p_before_id?: string; p_id?: string; p_limit?: number; p_status?: string }
        Returns: Json
      }
      list_colleagues: {
        Args: Record<PropertyKey, never>
        Returns: {
          id: string
          name: string
        }[]
      }
      list_customers: {
        Args: {
          p_after_id?: string
          p_after_key?: string
          p_filters?: Json
          p_limit?: number
          p_now?: string
          p_sort?: string
        }
        Returns: {
          customer: Json
          key: string
        }[]
      }
      list_merges: { Args: { p_customer: string }; Returns: Json }
      list_pairs: {
        Args: { p_before?: string; p_before_id?: string; p_limit?: number }
        Returns: {
          author_name: string
          customers: Json
          decided_at: string
          id: string
        }[]
      }
      list_segments: { Args: { p_id?: string }; Returns: Json }
      list_shift_notes: { Args: { p_day?: string; p_location: string; p_now?: string }; Returns: Json }
      list_team: {
        Args: { p_after_at?: string; p_after_id?: string; p_limit?: number; p_member?: string }
        Returns: {
          all_locations: boolean
          created_at: string
          email: string
          full_name: string
          id: string
          location_ids: string[]
          role: string
        }[]
      }
      list_tickets: {
        Args: { p_before?: number; p_filters?: Json; p_id?: string; p_limit?: number }
        Returns: {
          assignee_id: string
          assignee_name: string
          created_at: string
          customer_id: string
          description: string
          id: string
          location_id: string
          notified_at: string
          number: number
          priority: string
          requester_id: string
          requester_name: string
          resolved_at: string
          sla_due_at: string
          sla_reminded_at: string
          status: string
          subject: string
          updated_at: string
        }[]
      }
      list_waiting: { Args: { p_location: string }; Returns: Json }
      log_action: { Args: { p_action: string }; Returns: boolean }
      log_customers_export: { Args: { p_filters: Json }; Returns: string }
      log_reservations_export: { Args: { p_filters: Json }; Returns: string }
      loyalty_distribution: {
        Args: Record<PropertyKey, never>
        Returns: {
          customers: number
          location_id: string
          tier_id: string
        }[]
      }
      merge_customers: { Args: { p_duplicate_id: string; p_fields?: string[]; p_id: string }; Returns: Json }
      merge_duplicates: {
        Args: {
          p_above: number
          p_after_first?: string
          p_after_probability?: number
          p_after_second?: string
          p_certain: boolean
          p_limit?: number
        }
        Returns: Json
      }
      morning: {
        Args: { p_date?: string; p_location?: string; p_now?: string; p_people?: number }
        Returns: Json
      }
      morning_mails_due: { Args: { p_now: string; p_organization: string }; Returns: number }
      move_campaign: {
        Args: {
          p_action: string
          p_campaign: string
          p_closed?: Json
          p_guests?: number
          p_now?: string
          p_organization: string
          p_person: string
          p_version?: number
        }
        Returns: string
      }
      my_morning_mail: { Args: Record<PropertyKey, never>; Returns: Json }
      my_notices: { Args: { p_now?: string }; Returns: Json }
      my_push_devices: { Args: Record<PropertyKey, never>; Returns: Json }
      my_session: { Args: Record<PropertyKey, never>; Returns: Json }
      my_sessions: {
        Args: Record<PropertyKey, never>
        Returns: {
          browser: string
          created_at: string
          current: boolean
          ends_at: string
          id: string
          last_seen_at: string
          network: string
          place: string
          system: string
        }[]
      }
      next_arrivals: {
        Args: { p_limit?: number; p_location?: string; p_now?: string }
        Returns: {
          arrived_at: string | null
          counts_unmarked: boolean
          created_at: string
          customer_email: string | null
          customer_id: string | null
          customer_name: string | null
          customer_phone: string | null
          erased_at: string | null
          external_id: string | null
          finished_at: string | null
          guest_answer: string | null
          guest_answered_at: string | null
          id: string
          location_id: string
          notes: string | null
          organization_id: string
          party_size: number
          pms_status: string | null
          reservation_date: string
          reservation_time: string
          search_name: string
          seated_at: string | null
          service_date: string
          service_order: string
          service_over: boolean
          source: string
          staff_marks: NonNullable<Json>
          status: string
          table_name: string | null
          total_amount: number | null
          updated_at: string
          visited: boolean | null
          walk_in: boolean
          zone_name: string | null
        }[]
        SetofOptions: {
          from: '*'
          to: 'reservations'
          isOneToOne: false
          isSetofReturn: true
        }
      }
      no_show_features: { Args: { p_now?: string; p_reservations: string[] }; Returns: Json }
      note_integration_test: {
        Args: { p_by: string; p_kind: string; p_organization: string; p_reason: string; p_seen: string }
        Returns: undefined
      }
      note_sign_in: {
        Args: {
          p_browser: string
          p_network: string
          p_now?: string
          p_place: string
          p_session: string
          p_system: string
        }
        Returns: boolean
      }
      note_webhook: { Args: { p_organization?: string; p_provider: string }; Returns: undefined }
      notices_report: { Args: { p_ids: string[] }; Returns: Json }
      offer_freed_tables: {
        Args: { p_channels: string[]; p_now?: string; p_organization: string }
        Returns: string[]
      }
      open_locations: { Args: { p_organization: string; p_rows: Json }; Returns: string[] }
      password_link_holds: { Args: { p_made: string; p_user: string }; Returns: boolean }
      pending_limits: { Args: Record<PropertyKey, never>; Returns: Json }
      plan_campaign: {
        Args: {
          p_campaign: string
          p_closed?: Json
          p_limit?: number
          p_now?: string
          p_organization: string
        }
        Returns: Json
      }
      prepare_api_token: {
        Args: {
          p_account_hash: string
          p_days: number
          p_locations: string[]
          p_name: string
          p_permissions: string[]
          p_token_hash: string
        }
        Returns: Json
      }
      prepare_setup: {
        Args: {
          p_email: string
          p_full_name: string
          p_name: string
          p_slug: string
          p_timezone: string
          p_token_hash: string
        }
        Returns: string
      }
      preview_automation: {
        Args: {
          p_automation: string
          p_closed?: Json
          p_locations?: string[]
          p_now?: string
          p_organization: string
        }
        Returns: Json
      }
      preview_campaign: {
        Args: {
          p_closed?: Json
          p_customer?: string
          p_fields: Json
          p_id?: string
          p_locations?: string[]
          p_now?: string
          p_organization: string
        }
        Returns: Json
      }
      preview_draft: {
        Args: {
          p_automation?: string
          p_closed?: Json
          p_draft: Json
          p_locations?: string[]
          p_now?: string
          p_organization: string
        }
        Returns: Json
      }
      preview_loyalty_tiers: {
        Args: {
          p_after: string
          p_changes: Json
          p_limit: number
          p_locations?: string[]
          p_organization: string
        }
        Returns: Json
      }
      preview_segment: {
        Args: { p_definition: Json; p_id?: string; p_limit?: number; p_now?: string }
        Returns: Json
      }
      queue_event_notifications: {
        Args: { p_limit: number; p_now: string; p_organization: string }
        Returns: Json
      }
      queue_event_reminders: {
        Args: { p_limit: number; p_now: string; p_organization: string }
        Returns: Json
      }
      queue_morning_mails: { Args: { p_limit: number; p_now: string; p_organization: string }; Returns: Json }
      queue_notices: {
        Args: { p_limit: number; p_now: string; p_organization: string; p_queue: string }
        Returns: Json
      }
      queue_test_push: { Args: { p_id: string }; Returns: string }
      queue_ticket_notifications: {
        Args: { p_limit: number; p_now: string; p_organization: string }
        Returns: Json
      }
      queue_ticket_reminders: {
        Args: { p_limit: number; p_now: string; p_organization: string }
        Returns: Json
      }
      raise_loyalty_tiers: {
        Args: { p_after: string; p_limit: number; p_locations?: string[]; p_organization: string }
        Returns: Json
      }
      read_identity: { Args: Record<PropertyKey, never>; Returns: Json }
      reconcile_message: { Args: { p_id: string; p_status: string }; Returns: string }
      record_delivery: {
        Args: {
          p_at?: string
          p_message: string
          p_organization: string
          p_provider: string
          p_provider_id: string
          p_reason?: string
          p_status: string
        }
        Returns: string
      }
      record_inbound: {
        Args: {
          p_answers?: string
          p_at?: string
          p_channel: string
          p_organization: string
          p_phone?: string
          p_receipt?: string
          p_whatsapp_id?: string
          p_wish?: string
        }
        Returns: string
      }
      record_look_ahead: {
        Args: { p_at: string; p_from: string; p_location: string; p_outcome: string; p_to: string }
        Returns: undefined
      }
      record_sync: {
        Args: { p_at: string; p_failure?: string; p_from: string; p_location: string; p_to: string }
        Returns: undefined
      }
      recount_unmarked: { Args: { p_days: number; p_location: string }; Returns: boolean }
      refresh_location: { Args: { p_limit: number; p_location: string }; Returns: boolean }
      release_code: { Args: { p_hash: string; p_user: string }; Returns: undefined }
      release_lease: { Args: { p_holder: string; p_name: string }; Returns: undefined }
      remove_member: { Args: { p_member: string }; Returns: string }
      remove_push_device: { Args: { p_id: string }; Returns: boolean }
      renew_invitation: { Args: { p_invitation: string; p_token_hash: string }; Returns: string }
      replication_state: { Args: Record<PropertyKey, never>; Returns: Json }
      reply_to_feedback: {
        Args: { p_channels: string[]; p_feedback: string; p_now?: string; p_reply: string; p_subject: string }
        Returns: Json
      }
      report_cohorts: {
        Args: { p_location?: string; p_months?: number; p_now?: string; p_split?: string }
        Returns: Json
      }
      report_tiers: { Args: { p_location?: string; p_months?: number; p_now?: string }; Returns: Json }
      reservation_activity: {
        Args: { p_reservation: string }
        Returns: {
          action: string
          actor: string
          answer: Json
          at: string
          fields: Json
          id: string
          status: Json
        }[]
      }
      reserve_ai: {
        Args: { p_calls: number; p_now?: string; p_organization: string; p_person: string; p_tokens: number }
        Returns: Json
      }
      results_of_automation: {
        Args: {
          p_automation: string
          p_from: string
          p_locations?: string[]
          p_organization: string
          p_to: string
        }
        Returns: Json
      }
      resume_run: {
        Args: { p_automation: string; p_now?: string; p_organization: string; p_run: string }
        Returns: string
      }
      revenue_by_location: {
        Args: { p_from: string; p_to: string }
        Returns: {
          covers: number
          estimated: number
          location: string
          location_id: string
          reservations: number
          revenue: number
          visits: number
        }[]
      }
      revoke_api_token: { Args: { p_id: string }; Returns: string }
      rhythm_histories: { Args: { p_most?: number; p_now?: string; p_organization: string }; Returns: Json }
      rotate_secrets: { Args: { p_changes: Json; p_retired: Json }; Returns: string[] }
      run_outcomes: { Args: { p_organization: string; p_runs: string[] }; Returns: Json }
      run_report: { Args: { p_run: string }; Returns: Json }
      run_to_approve: { Args: { p_organization: string; p_run: string }; Returns: Json }
      save_automation: {
        Args: { p_fields: Json; p_id: string; p_organization: string; p_updated_at?: string }
        Returns: {
          after_days: number | null
          body: string
          campaign_id: string | null
          channel: string
          content_sid: string | null
          content_variables: NonNullable<Json>
          control_share: number | null
          created_at: string
          criteria: NonNullable<Json>
          deleted_at: string | null
          email_design: Json | null
          email_look: Json | null
          fallback_channel: string | null
          id: string
          location_ids: string[]
          name: string
          organization_id: string
          status: string
          step: number | null
          subject: string | null
          tags: string[]
          tier_ids: string[]
          type: string
          updated_at: string
          variant: string | null
        }[]
        SetofOptions: {
          from: '*'
          to: 'automations'
          isOneToOne: false
          isSetofReturn: true
        }
      }
      save_brand: {
        Args: { p_fields: Json; p_id: string; p_organization: string }
        Returns: {
          created_at: string
          id: string
          name: string
          organization_id: string
          slug: string
        }[]
        SetofOptions: {
          from: '*'
          to: 'brands'
          isOneToOne: false
          isSetofReturn: true
        }
      }
      save_calendar_event: { Args: { p_fields: Json; p_id: string; p_scope?: string }; Returns: Json }
      save_campaign: {
        Args: { p_fields: Json; p_id: string; p_organization: string; p_person?: string; p_version?: number }
        Returns: Json
      }
      save_customer: { Args: { p_fields: Json; p_id?: string }; Returns: Json }
      save_customer_facts: { Args: { p_customer: string; p_facts: Json }; Returns: string }
      save_email_look: {
        Args: { p_brand: string; p_fields: Json; p_organization: string }
        Returns: {
          brand_id: string | null
          button_color: string | null
          color: string | null
          footer: string | null
          from_email: string | null
          id: string
          logo: string | null
          organization_id: string
          reply_to: string | null
          sender_name: string | null
          updated_at: string
        }[]
        SetofOptions: {
          from: '*'
          to: 'email_looks'
          isOneToOne: false
          isSetofReturn: true
        }
      }
      save_engagement: {
        Args: { p_delivered: string; p_message: string; p_rows: Json; p_seen: string[] }
        Returns: boolean
      }
      save_feedback: {
        Args: { p_language: string; p_message: string; p_now?: string; p_score: number; p_words: string }
        Returns: string
      }
      save_guest_notes: { Args: { p_customer: string; p_notes: string }; Returns: string }
      save_hours: { Args: { p_closed_days: Json; p_location: string; p_shifts: Json }; Returns: string }
      save_integration: {
        Args: {
          p_address: string
          p_config: Json
          p_enabled: boolean
          p_organization: string
          p_required: string[]
          p_secrets: Json
          p_type: string
        }
        Returns: string[]
      }
      save_location: { Args: { p_location: string; p_values: Json }; Returns: Json }
      save_loyalty_changes: { Args: { p_changes: Json }; Returns: string }
      save_loyalty_config: { Args: { p_organization: string; p_tiers: Json }; Returns: Json }
      save_loyalty_rules: { Args: { p_location: string; p_rules: Json }; Returns: string }
      save_points: {
        Args: { p_customer: string; p_kind: string; p_points: number; p_reason: string }
        Returns: Json
      }
      save_push_device: {
        Args: {
          p_auth: string
          p_browser?: string
          p_endpoint: string
          p_kinds: string[]
          p_language: string
          p_p256dh: string
          p_system?: string
        }
        Returns: string
      }
      save_reservation: { Args: { p_fields: Json; p_id?: string }; Returns: Json }
      save_rhythm_model: {
        Args: { p_guests: number; p_now?: string; p_organization: string; p_parameters: Json }
        Returns: undefined
      }
      save_segment: { Args: { p_fields: Json; p_id?: string }; Returns: Json }
      save_tables: { Args: { p_location: string; p_tables: Json }; Returns: string }
      save_ticket: { Args: { p_fields: Json; p_id: string }; Returns: Json }
      score_customers: { Args: { p_limit?: number; p_organization: string }; Returns: Json }
      service_list: { Args: { p_day?: string; p_location: string; p_now?: string }; Returns: Json }
      service_summary: {
        Args: { p_date?: string; p_location?: string; p_now?: string; p_search?: string[]; p_source?: string }
        Returns: {
          covers: number
          hour: number
          location_id: string
          reservations: number
          service_date: string
          status: string
        }[]
      }
      services: { Args: { p_day: string; p_location?: string; p_now?: string }; Returns: Json }
      set_morning_mail: { Args: { p_hour: number }; Returns: Json }
      settle_ai: {
        Args: { p_day: string; p_organization: string; p_person: string; p_reserved: number; p_used: number }
        Returns: undefined
      }
      setup_is_open: { Args: Record<PropertyKey, never>; Returns: boolean }
      setup_progress: { Args: { p_on_home?: boolean }; Returns: Json }
      shift_occupancy: {
        Args: { p_date?: string; p_location?: string; p_now?: string }
        Returns: {
          capacity: number
          covers: number
          location_id: string
          name: string
          shift_id: string
        }[]
      }
      skip_setup_step: { Args: { p_skipped: boolean; p_step: string }; Returns: string }
      stats_overview: {
        Args: { p_from?: string; p_location?: string; p_now?: string; p_to?: string }
        Returns: Json
      }
      stop_run: { Args: { p_run: string }; Returns: string }
      stop_sending: { Args: { p_stop: boolean }; Returns: string }
      subscription_of: {
        Args: { p_address: string; p_channel: string; p_organization: string }
        Returns: Json
      }
      suppress_addresses: {
        Args: { p_addresses: string[]; p_channel: string; p_organization: string; p_reason: string }
        Returns: number
      }
      sweep_leases: { Args: { p_now?: string }; Returns: Json }
      sync_reservations: { Args: { p_location: string; p_now?: string; p_rows: Json }; Returns: Json }
      tag_customers: {
        Args: { p_added: boolean; p_filters: Json; p_now?: string; p_tag: string }
        Returns: Json
      }
      take_attempts: {
        Args: { p_keys: string[]; p_limits: number[]; p_now?: string; p_seconds: number }
        Returns: number
      }
      take_engagement: {
        Args: {
          p_event?: Json
          p_message: string
          p_now?: string
          p_organization: string
          p_provider_id: string
        }
        Returns: Json
      }
      take_offer_reply: { Args: { p_at?: string; p_organization: string; p_reply: Json }; Returns: Json }
      take_rate_limit: { Args: { p_key: string; p_limit: number; p_seconds: number }; Returns: number }
      take_reply: { Args: { p_at?: string; p_organization: string; p_reply: Json }; Returns: Json }
      take_taps: { Args: { p_location: string; p_now?: string; p_taps: Json }; Returns: Json }
      tally_messages: { Args: { p_ids: string[] }; Returns: Json }
      ticket_activity: {
        Args: { p_after?: string; p_after_id?: string; p_limit?: number; p_ticket: string }
        Returns: {
          at: string
          author_name: string
          details: Json
          id: string
          kind: string
        }[]
      }
      tidy_up: { Args: { p_limit?: number; p_now?: string; p_organization: string }; Returns: Json }
      undo_merge: { Args: { p_id: string }; Returns: Json }
      undo_tag_change: { Args: { p_id: string }; Returns: boolean }
      unsuppress_address: {
        Args: { p_address: string; p_channel: string; p_organization: string; p_reasons: string[] }
        Returns: boolean
      }
      use_api_token: {
        Args: { p_id: string; p_network: string; p_now?: string; p_token_hash: string }
        Returns: Json
      }
      whatsapp_open: { Args: { p_address: string; p_now: string; p_organization: string }; Returns: boolean }
      withdraw_invitation: { Args: { p_invitation: string }; Returns: string }
    }
    Enums: {
      [_ in never]: never
    }
    CompositeTypes: {
      [_ in never]: never
    }
  }
}

type DatabaseWithoutInternals = Omit<Database, '__InternalSupabase'>

type DefaultSchema = DatabaseWithoutInternals[Extract<keyof Database, 'public'>]

export type Tables<
  DefaultSchemaTableNameOrOptions extends
    | keyof (DefaultSchema['Tables'] & DefaultSchema['Views'])
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'] &
        DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Views'])
    : never = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'] &
      DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Views'])[TableName] extends {
      Row: infer R
    }
    ? R
    : never
  : DefaultSchemaTableNameOrOptions extends keyof (DefaultSchema['Tables'] & DefaultSchema['Views'])
    ? (DefaultSchema['Tables'] & DefaultSchema['Views'])[DefaultSchemaTableNameOrOptions] extends {
        Row: infer R
      }
      ? R
      : never
    : never

export type TablesInsert<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema['Tables']
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables']
    : never = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'][TableName] extends {
      Insert: infer I
    }
    ? I
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema['Tables']
    ? DefaultSchema['Tables'][DefaultSchemaTableNameOrOptions] extends {
        Insert: infer I
      }
      ? I
      : never
    : never

export type TablesUpdate<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema['Tables']
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables']
    : never = never,
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions['schema']]['Tables'][TableName] extends {
      Update: infer U
    }
    ? U
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema['Tables']
    ? DefaultSchema['Tables'][DefaultSchemaTableNameOrOptions] extends {
        Update: infer U
      }
      ? U
      : never
    : never

export type Enums<
  DefaultSchemaEnumNameOrOptions extends
    | keyof DefaultSchema['Enums']
    | { schema: keyof DatabaseWithoutInternals },
  EnumName extends DefaultSchemaEnumNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions['schema']]['Enums']
    : never = never,
> = DefaultSchemaEnumNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions['schema']]['Enums'][EnumName]
  : DefaultSchemaEnumNameOrOptions extends keyof DefaultSchema['Enums']
    ? DefaultSchema['Enums'][DefaultSchemaEnumNameOrOptions]
    : never

export type CompositeTypes<
  PublicCompositeTypeNameOrOptions extends
    | keyof DefaultSchema['CompositeTypes']
    | { schema: keyof DatabaseWithoutInternals },
  CompositeTypeName extends PublicCompositeTypeNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions['schema']]['CompositeTypes']
    : never = never,
> = PublicCompositeTypeNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions['schema']]['CompositeTypes'][CompositeTypeName]
  : PublicCompositeTypeNameOrOptions extends keyof DefaultSchema['CompositeTypes']
    ? DefaultSchema['CompositeTypes'][PublicCompositeTypeNameOrOptions]
    : never

export const Constants = {
  public: {
    Enums: {},
  },
} as const
